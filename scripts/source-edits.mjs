// Adds to the lists and objects that a source file of a module declares, without a parser: it runs before an installation, too.

const CLOSING = { '[': ']', '{': '}', '(': ')' };

/** Where the bracket closes that opens at the index; -1 if it does not. Brackets in strings and comments do not count. */
export function closing(text, open) {
  const expected = [];
  for (let at = open; at < text.length; at++) {
    at = afterText(text, at);
    const char = text[at];
    if (char in CLOSING) expected.push(CLOSING[char]);
    else if (char === expected.at(-1)) {
      expected.pop();
      if (expected.length === 0) return at;
    }
  }
  return -1;
}

/** The value of a property of the object that opens at the index: where it begins and ends; undefined if there is none. */
export function valueOf(text, open, property) {
  const end = closing(text, open);
  for (let at = open + 1; at < end; at++) {
    const inText = afterText(text, at);
    if (inText !== at) {
      at = inText - 1;
      continue;
    }
    if (text[at] in CLOSING) at = closing(text, at);
    else if (/^[\w$]+\s*:/.test(text.slice(at, at + 80))) {
      const [head] = /^[\w$]+\s*:\s*/.exec(text.slice(at));
      const start = at + head.length;
      const stop = endOfValue(text, start, end);
      if (new RegExp(`^${property}\\s*:`).test(head)) return { start, end: stop };
      at = stop;
    } else if (/[\w$]/.test(text[at])) while (/[\w$]/.test(text[at + 1] ?? '')) at++;
  }
  return undefined;
}

/** The text with further entries in the list or object that opens at the index, each on a line of its own. */
export function withEntries(text, open, entries) {
  const end = closing(text, open);
  const inside = text.slice(open + 1, end);
  const before = inside.trimEnd().replace(/,$/, '');
  const line = text.slice(text.lastIndexOf('\n', open) + 1, open);
  const indent = /\n( *)\S/.exec(inside)?.[1] ?? `${/^ */.exec(line)[0]}  `;
  const given = before.trim();
  if (!inside.includes('\n') && text[open] === '[' && entries.length === 1)
    return `${text.slice(0, open + 1)}${given ? `${given}, ` : ''}${entries[0]}${text.slice(end)}`;
  const kept = inside.includes('\n') || !given ? before : `\n${indent}${given}`;
  const added = entries.map((entry) => `\n${indent}${entry},`).join('');
  const list = `${kept}${given ? ',' : ''}${added}\n${indent.slice(2)}`;
  return text.slice(0, open + 1) + list + text.slice(end);
}

/** The text with further imports after its last one. */
export function withImports(text, statements) {
  const imports = [...text.matchAll(/^import [^;]*;\n/gm)];
  const at = imports.length > 0 ? imports.at(-1).index + imports.at(-1)[0].length : 0;
  return text.slice(0, at) + statements.map((statement) => `${statement}\n`).join('') + text.slice(at);
}

/** After the string or comment that begins at the index; the index if none does. */
function afterText(text, at) {
  const comment = text.startsWith('//', at) ? '\n' : text.startsWith('/*', at) ? '*/' : undefined;
  if (comment) {
    const end = text.indexOf(comment, at + 2);
    return end === -1 ? text.length : afterText(text, end + comment.length);
  }
  if (!`'"\``.includes(text[at] ?? ' ')) return at;
  for (let end = at + 1; end < text.length; end++) {
    if (text[end] === '\\') end++;
    else if (text[end] === text[at]) return afterText(text, end + 1);
  }
  return text.length;
}

function endOfValue(text, start, end) {
  for (let at = start; at < end; at++) {
    at = afterText(text, at);
    if (text[at] in CLOSING) at = closing(text, at);
    else if (text[at] === ',') return at;
  }
  return end;
}
