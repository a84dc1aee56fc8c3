/** Texts in which keywords mean nothing: strings, quoted names, dollar-quoted strings, comments. */
const QUOTED = /'(?:[^']|'')*'|"(?:[^"]|"")*"|\$(\w*)\$.*?\$\1\$|--[^\n]*|\/\*.*?\*\//gs;
const BEGINS_AS_READ = /^[\s(]*(?:SELECT|WITH)\b/i;
/** Of statements that write, SELECT INTO, and row locks. */
const WRITES = /\b(?:INTO|UPDATE|DELETE|MERGE)\b|\bFOR\s+(?:NO\s+KEY|KEY\s+SHARE|SHARE)\b/i;
const MOST_KNOWN = 1_000;

const known = new Set<string>();

/**
 * Throws unless the statement is a SELECT, with or without WITH, in which nothing is written or locked. A transaction that only reads would
 * take two more statements, and the reader of a write has its transaction. What the functions of a statement do is not checked.
 */
export function requireReadOnly(text: string): void {
  if (known.has(text)) return;
  const bare = text.replace(QUOTED, ' ');
  if (!BEGINS_AS_READ.test(bare) || WRITES.test(bare))
    throw new Error('A reader runs SELECT, also after WITH, and neither writes nor locks; use Store.write for that.');
  if (known.size < MOST_KNOWN) known.add(text);
}
