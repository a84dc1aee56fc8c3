const WORDS = /(\s+)/;

/** A text in pieces between which a line may end: its long words are cut into pieces of `size` characters. */
export function piecesOf(text: string, isLong: (word: string) => boolean, size: number): string[] {
  const pieces: string[] = [];
  let plain = '';
  for (const word of text.split(WORDS)) {
    if (!isLong(word)) {
      plain += word;
      continue;
    }
    if (plain !== '') pieces.push(plain);
    plain = '';
    const characters = Array.from(word);
    for (let at = 0; at < characters.length; at += size) pieces.push(characters.slice(at, at + size).join(''));
  }
  return plain === '' ? pieces : [...pieces, plain];
}
