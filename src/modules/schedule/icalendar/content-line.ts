const LINE_OCTETS = 75;

export type Parameters = Readonly<Record<string, string | null | undefined>>;

/** A property of RFC 5545 whose value is written as it is, folded at 75 octets. Parameters that are null are left out. */
export function contentLine(name: string, value: string | number, parameters: Parameters = {}): string {
  const set = Object.entries(parameters).filter((entry): entry is [string, string] => entry[1] !== null && entry[1] !== undefined);
  return fold(`${name}${set.map(([key, text]) => `;${key}=${parameterValue(text)}`).join('')}:${value}`);
}

/** A property whose value is a text. */
export function textLine(name: string, text: string): string {
  return contentLine(name, escapeText(text));
}

function escapeText(text: string): string {
  return withoutControls(text)
    .replace(/[\\;,]/g, '\\$&')
    .replace(/\n/g, '\\n');
}

/** A calendar user's address. */
export function mailto(email: string): string {
  return `mailto:${encodeURI(email).replace(/[;,"]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`)}`;
}

/** Quoted if it must be; RFC 6868 defines how quotes and line breaks are written. */
function parameterValue(text: string): string {
  const encoded = withoutControls(text).replace(/\^/g, '^^').replace(/\n/g, '^n').replace(/"/g, "^'");
  return /[:;,]/.test(encoded) ? `"${encoded}"` : encoded;
}

/** Line breaks become line feeds, other control characters except tabs go. */
function withoutControls(text: string): string {
  return text.replace(/\r\n?|[\u2028\u2029]/g, '\n').replace(/[\u0000-\u0008\u000b-\u001f\u007f]/g, '');
}

/** No line has more than 75 octets, and no character is cut in two. */
function fold(line: string): string {
  if (Buffer.byteLength(line) <= LINE_OCTETS) return line;
  let folded = '';
  let octets = 0;
  for (const character of line) {
    const size = Buffer.byteLength(character);
    if (octets + size > LINE_OCTETS) {
      folded += '\r\n ';
      octets = 1;
    }
    folded += character;
    octets += size;
  }
  return folded;
}
