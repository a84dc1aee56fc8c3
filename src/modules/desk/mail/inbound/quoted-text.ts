/** The lines in which mail programs introduce what they quote, at their beginning and at their end. */
const INTRODUCTIONS: readonly (readonly [begin: RegExp, end: RegExp])[] = [
  [/^On\s/, /\swrote:?$/],
  [
    /^(?:Am|Den|Op|El|Le|Il|Em|W dniu|Dne|Il giorno)\s/,
    new RegExp(
      `\\s(?:${[
        ...['schrieb', 'hat\\s.{1,200}\\sFolgendes geschrieben', 'skrev', 'schreef', 'escribió', 'a écrit', 'ha scritto', 'escreveu'],
        ...['napisał\\(?a?\\)?', 'napsal\\(?a?\\)?'],
      ].join('|')})(?:\\s.{0,120})?\\s?:$`,
    ),
  ],
  [/^(?:пн|вт|ср|чт|пт|сб|вс|\d{1,2})[,.\s]/, /\s(?:пишет|написал\(?а?\)?)\s?:$/],
  [/^(?:\d{4}[-/.年]|在)/, /(?:wrote|写道|寫道|のメール)\s?[:：]$/],
];
/** An introduction may be folded. */
const LONGEST_INTRODUCTION = 3;
const DIVIDER = new RegExp(
  `^-{2,}\\s*(?:${[
    ...['Original Message', 'Original-Nachricht', 'Ursprüngliche Nachricht', "Message d'origine", 'Mensaje original'],
    ...['Messaggio originale', 'Oorspronkelijk bericht', 'Mensagem original'],
  ].join('|')})\\s*-{2,}$`,
  'i',
);
const FIRST_HEADER = /^\*?(?:From|Von|De|Da|Van|Från|Fra|Od|От)\s?:\*?\s/;
const OTHER_HEADER = new RegExp(
  `^\\*?(?:${[
    ...['Sent', 'Date', 'To', 'Subject', 'Cc', 'Gesendet', 'Datum', 'An', 'Betreff', 'Envoyé', 'À', 'Objet', 'Enviado', 'Fecha'],
    ...['Para', 'Asunto', 'Inviato', 'Data', 'A', 'Oggetto', 'Verzonden', 'Aan', 'Onderwerp', 'Дата', 'Кому', 'Тема'],
  ].join('|')})\\s?:`,
);
/** The second one is a line of HTML. */
const RULE = /^(?:_{10,}|-{40,})$/;
const ADDRESS = /[<(][^<>()\s]{1,250}@[^<>()\s]{1,250}[>)]/;
const MOST_LINES = 20_000;

/**
 * Splits the text of a reply into the new text and the quoted end. Quoted lines that are followed by new text stay, because that text
 * makes sense only between them. If no new text would be left, nothing is split off.
 */
export function splitQuoted(text: string): { text: string; quoted: string | null } {
  const lines = text.split('\n', MOST_LINES + 1);
  if (lines.length > MOST_LINES) return { text, quoted: null };
  const at = quotationAt(lines);
  const fresh = lines.slice(0, at).join('\n').trim();
  if (at === lines.length || fresh === '') return { text, quoted: null };
  return { text: fresh, quoted: lines.slice(at).join('\n').trim() };
}

/** The first line of the quoted end; the number of lines if there is none. */
function quotationAt(lines: readonly string[]): number {
  const tail = quotedTailAt(lines);
  const lastMarked = lines.findLastIndex(isMarked);
  for (let index = 0; index < lines.length; index++) {
    const line = lines[index].trim();
    if (line === '') continue;
    if (DIVIDER.test(line) || isHeaderBlock(lines, index)) return index;
    if (RULE.test(line) && isHeaderBlock(lines, index + 1)) return index;
    const length = introductionAt(lines, index);
    if (length > 0 && index + length >= tail) return index;
    // Yahoo, and an iPhone that quotes HTML, mark nothing
    if (length > 0 && lastMarked < index && ADDRESS.test(lines.slice(index, index + length).join(' '))) return index;
    if (index >= tail) return index;
  }
  return lines.length;
}

/** The first of the lines at the end that are all quoted or blank. */
function quotedTailAt(lines: readonly string[]): number {
  let tail = lines.length;
  let isQuoted = false;
  for (let index = lines.length - 1; index >= 0; index--) {
    if (isMarked(lines[index])) {
      isQuoted = true;
      tail = index;
    } else if (lines[index].trim() !== '') break;
  }
  return isQuoted ? tail : lines.length;
}

function isMarked(line: string): boolean {
  return line.trimStart().startsWith('>');
}

/** The number of lines of the introduction that begins here; 0 if none does. Blank lines may follow it before the quotation. */
function introductionAt(lines: readonly string[], index: number): number {
  let joined = '';
  for (let length = 1; length <= LONGEST_INTRODUCTION && index + length <= lines.length; length++) {
    const line = lines[index + length - 1].trim();
    joined = `${joined} ${line}`.trim();
    if (line === '' || joined.length > 500) return 0;
    if (INTRODUCTIONS.some(([begin, end]) => begin.test(joined) && end.test(joined))) {
      let after = length;
      while (index + after < lines.length && lines[index + after].trim() === '') after++;
      return after;
    }
  }
  return 0;
}

/** Outlook quotes without marks, below the headers of what it quotes; so does GMX, which begins with the date. */
function isHeaderBlock(lines: readonly string[], index: number): boolean {
  let first = index;
  while (first < lines.length && lines[first].trim() === '') first++;
  const block = lines.slice(first, first + 9).map((line) => line.trim());
  const isBegun = block.slice(0, 2).some((line) => FIRST_HEADER.test(line)) && isHeader(block[0]);
  return isBegun && block.filter((line) => OTHER_HEADER.test(line)).length >= 2;
}

function isHeader(line: string): boolean {
  return FIRST_HEADER.test(line) || OTHER_HEADER.test(line);
}
