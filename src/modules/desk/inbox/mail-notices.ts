/** Longer ones are text, and so are those that say something else first. */
const LONGEST_NOTICE = 2_000;
const LATEST_START = 40;
const MOST_NOTICES = 10;

/** What lists, gateways and virus scanners write around a text. No wish of a customer reads like this. */
const NOTICE = new RegExp(
  [
    // lists
    'you (?:are receiving|(?:have )?received|get|got) this (?:message|e-?mail|mail)?\\s*because',
    'to unsubscribe (?:from this (?:group|list|mailing list),?|send an? e-?mail to \\S+)',
    '^[^\\n]{1,80} mailing list(?: -- \\S+)?$|^(?:mailing list|liste de diffusion|mailingliste)\\s*:?\\s*\\S+$',
    'sie (?:erhalten|haben) diese (?:nachricht|e-?mail|mail)[^.]{0,60}\\b(?:weil|da)\\b',
    'vous recevez (?:ce|cet) (?:message|e-?mail|courriel) (?:car|parce)',
    // mail from outside
    '^\\W*external(?: (?:e-?mail|message|sender|mail))?\\W*$|^\\W*extern(?:e (?:e-?mail|mail|nachricht|absender))?\\W*$',
    '(?:e-?mail|message) (?:was )?(?:originated|originates|comes|came|was sent) from (?:an )?(?:outside|external)',
    '(?:e-?mail|mail|nachricht) (?:kommt|stammt|wurde) von (?:au(?:ß|ss)erhalb|extern|einem externen)',
    "you don['’]t often get e-?mail from",
    'sie erhalten (?:nicht oft|selten) e-?mails? von',
    '^\\W*(?:warning|caution|attention)\\W+(?:this is an? )?external (?:sender|e-?mail|message)',
    "(?:message|e-?mail|courriel|mail) (?:provient|vient) (?:de l[’']extérieur|d[’']un expéditeur externe)",
    // confidentiality and scanners
    '^disclaimer\\W*$|the information contained in this (?:communication|e-?mail|message)',
    '(?:mail|e-?mail|message) was (?:scanned|checked) by|^(?:virus-?free|virenfrei|sans virus)\\W',
    'bitte (?:denken sie an die|prüfen sie der) umwelt|consider the environment before printing',
    '(?:e-?mail|message)(?: and any \\w+)?[^.]{0,80}\\b(?:is|are|may be|contains?|may contain)\\b[^.]{0,40}\\b(?:confidential|privileged)',
    '(?:e-?mail|nachricht) (?:enthält|kann)[^.]{0,60}vertrauliche',
    'this (?:e-?mail|message) has been (?:scanned|checked)|diese (?:e-?mail|nachricht) wurde [^.]{0,40}viren',
  ].join('|'),
  'imu',
);
/** A line without letters and digits ends a paragraph, as an empty line does. */
const GAP = /\n(?:[^\p{L}\p{N}\n]*\n)+/u;

/** The text without the notices before and after it. Only whole paragraphs are left out, each of which must be a notice. */
export function withoutNotices(text: string): string {
  const paragraphs = `\n${text}\n`.split(GAP).filter((paragraph) => paragraph.trim() !== '');
  for (let left = MOST_NOTICES; left > 0 && isNotice(paragraphs.at(-1)); left--) paragraphs.pop();
  for (let left = MOST_NOTICES; left > 0 && isNotice(paragraphs.at(0)); left--) paragraphs.shift();
  return paragraphs.join('\n\n');
}

function isNotice(paragraph = ''): boolean {
  const start = paragraph.length > LONGEST_NOTICE ? -1 : paragraph.trim().search(NOTICE);
  return start >= 0 && start <= LATEST_START;
}
