const WORDS = /(\s+)/;
const ASCII = /^[\u0000-\u007f]*$/;
const GRAPHEMES = new Intl.Segmenter();
/** Letters that join their neighbors: a word that is cut between them would have other forms. */
const JOINED = /[\p{Script=Arabic}\p{Script=Syriac}\p{Script=Nko}\p{Script=Mongolian}]/u;
/** In characters, with their marks; what is longer is no word. */
const LONGEST_JOINED = 60;

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
    const characters = charactersOf(word);
    if (JOINED.test(word) && characters.length <= LONGEST_JOINED) {
      pieces.push(word);
      continue;
    }
    for (let at = 0; at < characters.length; at += size) pieces.push(characters.slice(at, at + size).join(''));
  }
  return plain === '' ? pieces : [...pieces, plain];
}

/** A letter stays with its marks. */
function charactersOf(word: string): string[] {
  return ASCII.test(word) ? Array.from(word) : Array.from(GRAPHEMES.segment(word), ({ segment }) => segment);
}
