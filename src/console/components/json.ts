import { html, type Html } from '../../kit/index.js';
import { codeBlock, codeMarkup } from './blocks.js';

/** Longer text is truncated to keep the page small. */
const MOST_CHARACTERS = 12_000;
const MEMBER = /^(\s*)("(?:[^"\\]|\\.)*")(: )/;

export interface JsonOptions {
  /** Unique on the page. */
  id: string;
  label: string;
  /** The address of the whole text, if it is truncated. */
  whole?: string;
}

/** A JSON value with indentation, its members' names in color. */
export function jsonBlock(value: unknown, options: JsonOptions): Html {
  return jsonTextBlock(JSON.stringify(value, null, 2), options);
}

/** Indents the text if it is JSON, otherwise shows it unchanged. */
export function textBlock(text: string, options: JsonOptions): Html {
  return jsonTextBlock(indented(text), options);
}

function jsonTextBlock(text: string, { id, label, whole }: JsonOptions): Html {
  const cut = text.length > MOST_CHARACTERS ? text.slice(0, text.lastIndexOf('\n', MOST_CHARACTERS) + 1 || MOST_CHARACTERS) : text;
  const lines = cut.split('\n').map((line, index) => {
    const [start = '', blanks, name, colon] = MEMBER.exec(line) ?? [];
    const first = index === 0 ? '' : '\n';
    return start === '' ? html`${first}${line}` : html`${first}${blanks}<b>${name}</b>${colon}${line.slice(start.length)}`;
  });
  const rest = text.length > cut.length;
  return html`${codeMarkup(html`${lines}`, { id, label })}${
    rest && html`<p class="soft">Only the beginning is shown.${whole !== undefined && html` <a href="${whole}">Download the whole</a>`}</p>`
  }`;
}

function indented(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}

/** Text as it is. */
export function plainBlock(text: string, options: JsonOptions): Html {
  return text.length > MOST_CHARACTERS
    ? html`${codeBlock(text.slice(0, MOST_CHARACTERS), options)}<p class="soft">Only the beginning is shown.</p>`
    : codeBlock(text, options);
}
