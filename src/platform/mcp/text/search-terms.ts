/** Words without meaning for a search. */
const STOP_WORDS = new Set(
  'a an and are as at be by can do for from how i in is it me my of on one or that the this to up want what which with'.split(' '),
);

/**
 * Words of users and the words that tools use for them.
 */
const SYNONYMS: [words: string, meanings: string][] = [
  ['close complete finish done end mark move rename assign unassign reassign reopen edit change modify set put adjust archive', 'update'],
  ['close complete finish done reopen', 'status'],
  ['remove erase destroy drop', 'delete'],
  ['make add new open write post insert', 'create'],
  ['find search filter', 'list'],
  ['look show see view read browse display', 'list get'],
  ['who whom whose people person user someone somebody anyone colleague teammate', 'member'],
  ['assign unassign reassign', 'member'],
  ['note remark reply', 'comment'],
  ['owner responsible', 'assignee'],
  ['tag', 'label'],
  ['state column', 'status'],
  ['bulk many several multiple', 'batch'],
  ['nda contract agreement paper paperwork proposal file', 'document'],
  ['sign signature countersign', 'submit document'],
  ['approve reject decide signoff', 'act approval'],
  ['deadline due duty', 'obligation task'],
  ['todo ticket work job issue', 'task'],
  ['customer client prospect', 'contact lead'],
  ['opportunity sale', 'deal'],
  ['qualify', 'convert lead'],
  ['phase board funnel', 'stage pipeline'],
  ['danger', 'risk'],
  ['meeting meet appointment invite invitation', 'event booking'],
  ['invite invitation attendee participant guest', 'invitee'],
  ['room equipment', 'resource'],
  ['slot free busy time available', 'availability slot'],
  ['recurring repeat repeating weekly series', 'recurrence event'],
];

const MEANINGS = new Map<string, Set<string>>();
for (const [words, meanings] of SYNONYMS) {
  for (const word of words.split(' ').map(stem)) {
    const stems = MEANINGS.get(word) ?? new Set();
    for (const meaning of meanings.split(' ')) stems.add(stem(meaning));
    MEANINGS.set(word, stems);
  }
}

/** Weight of a synonym, relative to a word of the query itself. */
const SYNONYM_WEIGHT = 0.6;

export function termsOf(text: string): string[] {
  return (text.toLowerCase().match(/[a-z0-9]+/g) ?? []).filter((word) => !STOP_WORDS.has(word)).map(stem);
}

/** The terms to search for, with their weights. */
export function queryTerms(query: string): Map<string, number> {
  const weights = new Map<string, number>();
  const terms = new Set(termsOf(query));
  for (const term of terms) for (const synonym of MEANINGS.get(term) ?? []) weights.set(synonym, SYNONYM_WEIGHT);
  for (const term of terms) weights.set(term, 1);
  return weights;
}

/** Maps the forms of a word to one stem: tasks and task; completed, completing and complete; statuses and status. */
function stem(word: string): string {
  const singular = word
    .replace(/ies$/, 'y')
    .replace(/(s|x|z|ch|sh)es$/, '$1')
    .replace(/([^su])s$/, '$1');
  return singular.replace(/(?<=...)(?:ing|ed|ee|e)$/, '');
}
