import { escapeHtml, html, Html } from '../../../kit/index.js';

const JSON_WORDS = String.raw`\b(?<word>true|false|null)\b`;
const COMMENT = { hash: String.raw`(?<comment>(?<=^|\s)#.*)`, slashes: String.raw`(?<comment>(?<=^|\s)\/\/.*)` };
const TEXT = String.raw`(?<text>"(?:[^"\\\n]|\\.)*"|'(?:[^'\\]|\\.)*'|\`(?:[^\`\\]|\\.)*\`)`;
const NUMBER = String.raw`(?<![\w.-])(?<number>-?\d[\d_]*(?:\.\d+)?)(?![\w.-])`;

const words = (list: string) => String.raw`\b(?<word>${list.replaceAll(' ', '|')})\b`;

/** What is colored in a language; code in others stays plain. */
const LANGUAGES: Readonly<Record<string, RegExp>> = Object.fromEntries(
  Object.entries({
    json: [String.raw`(?<name>"(?:[^"\\\n]|\\.)*")(?=\s*:)`, TEXT, NUMBER, JSON_WORDS],
    sh: [COMMENT.hash, TEXT, String.raw`(?<=\s)(?<name>--?[a-zA-Z][\w-]*)`, words('curl npm npx export')],
    ts: [
      COMMENT.slashes,
      TEXT,
      NUMBER,
      words('import from export const let async await new for of if else return throw function try catch true false null undefined'),
    ],
    python: [
      COMMENT.hash,
      TEXT,
      NUMBER,
      words('import from as def return if elif else for in not and or with try except raise while True False None async await'),
    ],
    toml: [COMMENT.hash, String.raw`^(?<name>\[[\w.]+\]|[\w.]+(?= =))`, TEXT, NUMBER],
    go: [COMMENT.slashes, TEXT, NUMBER, words('package import func return if else for range var const type struct nil true false err')],
  }).map(([language, parts]) => [language, new RegExp(parts.join('|'), 'gm')]),
);

const ALIASES: Readonly<Record<string, string>> = { bash: 'sh', typescript: 'ts', js: 'ts', py: 'python', mcp: 'json', curl: 'sh' };
const LABELS: Readonly<Record<string, string>> = {
  sh: 'Shell',
  ts: 'TypeScript',
  python: 'Python',
  json: 'JSON',
  go: 'Go',
  toml: 'TOML',
  sql: 'SQL',
  yaml: 'YAML',
};
const CLASSES: Readonly<Record<string, string>> = { comment: 'c', text: 's', number: 'n', word: 'k', name: 'p' };

/** Code as markup, with the parts that its language has in color. */
export function coloredCode(code: string, language: string): string {
  const pattern = LANGUAGES[ALIASES[language] ?? language];
  if (!pattern) return escapeHtml(code);
  let markup = '';
  let end = 0;
  for (const match of code.matchAll(pattern)) {
    const [kind] = Object.entries(match.groups!).find(([, found]) => found !== undefined)!;
    markup += `${escapeHtml(code.slice(end, match.index))}<i class="${CLASSES[kind]}">${escapeHtml(match[0])}</i>`;
    end = match.index + match[0].length;
  }
  return markup + escapeHtml(code.slice(end));
}

/** Code that scrolls, so it must be reachable by keyboard. */
export function preformatted(code: string, language = ''): Html {
  return new Html(`<pre tabindex="0" role="group" aria-label="Code"><code>${coloredCode(code, language)}</code></pre>`);
}

/** Code within a text, with what it is and a button that copies it. */
export function codePanel(code: string, language = ''): Html {
  const label = LABELS[ALIASES[language] ?? language] ?? '';
  return html`<div class="panel"><p class="panel-head"><span>${label}</span>
<button hidden data-script data-copy-of="code">Copy</button></p>${preformatted(code, language)}</div>`;
}
