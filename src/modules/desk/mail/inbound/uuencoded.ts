/** A file in a text, as mail programs without MIME attach it. */
export interface UuencodedFile {
  fileName: string;
  bytes: Buffer;
}

const BEGIN = /^begin(?:-base64)? [0-7]{3,4} (\S.{0,254})$/;

/** Takes the files out of a text. What is not complete, or not well-formed, stays text. */
export function withoutUuencoded(text: string): { text: string; files: UuencodedFile[] } {
  if (!/^begin(?:-base64)? [0-7]/m.test(text)) return { text, files: [] };
  const lines = text.split('\n');
  const kept: string[] = [];
  const files: UuencodedFile[] = [];
  for (let index = 0; index < lines.length; index++) {
    const found = fileAt(lines, index);
    if (found) {
      files.push(found.file);
      index = found.end;
    } else kept.push(lines[index]);
  }
  return { text: kept.join('\n'), files };
}

function fileAt(lines: readonly string[], begin: number): { file: UuencodedFile; end: number } | null {
  const first = lines[begin].trimEnd();
  const name = BEGIN.exec(first)?.[1];
  if (name === undefined) return null;
  const isBase64 = first.startsWith('begin-base64');
  const chunks: Buffer[] = [];
  for (let index = begin + 1; index < lines.length; index++) {
    const line = lines[index].replace(/\r$/, '');
    if (isBase64 ? line.trim() === '====' : line.trim() === 'end')
      return chunks.length === 0 ? null : { file: { fileName: name, bytes: Buffer.concat(chunks) }, end: index };
    const bytes = isBase64 ? base64Line(line) : uuLine(line);
    if (bytes === null) return null;
    chunks.push(bytes);
  }
  return null;
}

function base64Line(line: string): Buffer | null {
  return /^[A-Za-z0-9+/=\s]*$/.test(line) ? Buffer.from(line, 'base64') : null;
}

/** A line states how many bytes it has. Spaces at its end may be lost. */
function uuLine(line: string): Buffer | null {
  if (line.trim() === '') return Buffer.alloc(0);
  if (!/^[ -`]+$/.test(line)) return null;
  const values = [...line].map((character) => (character.charCodeAt(0) - 32) & 63);
  const [length, ...data] = values;
  // some programs add a checksum
  if (data.length > Math.ceil(length / 3) * 4 + 1) return null;
  const bytes = Buffer.alloc(length);
  for (let at = 0; at < length; at++) {
    const [group, place] = [Math.floor(at / 3) * 4, at % 3];
    const [one, two] = [data[group + place] ?? 0, data[group + place + 1] ?? 0];
    bytes[at] = ((one << (2 + 2 * place)) | (two >> (4 - 2 * place))) & 255;
  }
  return bytes;
}
