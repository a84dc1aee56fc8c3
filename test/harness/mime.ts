export interface MimePart {
  /** In lower case, without parameters. */
  type: string;
  /** Header fields by their names in lower case. */
  headers: Record<string, string>;
  text: string;
}

/** The parts of a mail that have no parts themselves, decoded. */
export function partsOf(source: string): MimePart[] {
  const end = source.indexOf('\r\n\r\n');
  const headers: Record<string, string> = {};
  for (const line of source
    .slice(0, end)
    .replace(/\r\n[ \t]+/g, ' ')
    .split('\r\n')) {
    const colon = line.indexOf(':');
    headers[line.slice(0, colon).toLowerCase()] = line.slice(colon + 1).trim();
  }
  const body = source.slice(end + 4);
  const contentType = headers['content-type'] ?? 'text/plain';
  const boundary = /boundary="?([^";]+)"?/.exec(contentType)?.[1];
  if (boundary === undefined)
    return [{ type: contentType.split(';')[0].trim().toLowerCase(), headers, text: decode(body, headers['content-transfer-encoding']) }];
  return body
    .split(`--${boundary}`)
    .slice(1, -1)
    .flatMap((part) => partsOf(part.replace(/^\r\n/, '').replace(/\r\n$/, '')));
}

function decode(body: string, encoding = '7bit'): string {
  if (encoding.toLowerCase() === 'base64') return Buffer.from(body, 'base64').toString('utf8');
  if (encoding.toLowerCase() !== 'quoted-printable') return body;
  const bytes = body.replace(/=\r\n/g, '').replace(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(parseInt(hex, 16)));
  return Buffer.from(bytes, 'latin1').toString('utf8');
}
