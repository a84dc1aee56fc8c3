import { html, type Html, type HtmlValue } from './html.js';

/** A problem with a submitted form. `field` is the id of the element to correct; null if no single one can be corrected. */
export interface FormProblem {
  field: string | null;
  text: string;
}

/**
 * The problems of a submitted form: announced by screen readers, and focused first.
 *
 * @example
 * ```ts
 * import { problemNote } from 'work-suite/kit';
 *
 * const note = problemNote('Please correct the form', [{ field: 'name', text: 'Enter your name' }]);
 * ```
 */
export function problemNote(heading: string, problems: readonly FormProblem[], more: Html | false = false): Html | false {
  if (problems.length === 0) return false;
  const items = problems.map(({ field, text }) => html`<li>${field === null ? text : html`<a href="#${field}">${text}</a>`}</li>`);
  return html`<div class="note problem" role="alert" tabindex="-1" autofocus><h2>${heading}</h2><ul>${items}</ul>${more}</div>`;
}

/**
 * A notice of what was done, announced by screen readers.
 *
 * @example
 * ```ts
 * import { statusNote } from 'work-suite/kit';
 *
 * const note = statusNote('Your trip was saved.');
 * ```
 */
export function statusNote(text: string | Html): Html {
  return html`<div class="note done" role="status" tabindex="-1" autofocus>${text}</div>`;
}

/**
 * Plain text as paragraphs, separated by empty lines. Line breaks within a paragraph are kept.
 *
 * @example
 * ```ts
 * import { html, paragraphs } from 'work-suite/kit';
 *
 * const body = html`<main>${paragraphs('First.\n\nSecond,\nwith a break.')}</main>`;
 * ```
 */
export function paragraphs(text: string | null, className?: string): Html[] {
  return (text ?? '')
    .split(/(?:\r?\n){2,}/)
    .filter((part) => part.trim() !== '')
    .map((part) => html`<p${className !== undefined && html` class="${className}"`}>${lines(part.trim())}</p>`);
}

function lines(text: string): HtmlValue[] {
  return text.split(/\r?\n/).map((line, index) => (index === 0 ? line : html`<br>${line}`));
}

/** A control of a form with its label, hint and problem. */
export interface Labelled {
  id: string;
  label: string;
  hint?: string | null;
  /** What is wrong with the value that was sent. */
  problem?: string;
  isOptional?: boolean;
  /** The word for an optional field in the language of the page; English by default. */
  optionalWord?: string;
}

/**
 * A control below its label. `control` gets the attributes that link it to label, hint and problem for screen readers.
 *
 * @example
 * ```ts
 * import { html, labelled } from 'work-suite/kit';
 *
 * const name = labelled({ id: 'name', label: 'Your name' }, (attributes) => html`<input name="name"${attributes}>`);
 * ```
 */
export function labelled(labels: Labelled, control: (attributes: Html) => Html): Html {
  return html`<div class="field">${label(labels)}${notes(labels)}${control(attributesOf(labels))}</div>`;
}

/**
 * A checkbox beside its label; otherwise like `labelled`.
 *
 * @example
 * ```ts
 * import { html, tickable } from 'work-suite/kit';
 *
 * const terms = tickable({ id: 'terms', label: 'I agree' }, (attributes) => html`<input type="checkbox" name="terms"${attributes}>`);
 * ```
 */
export function tickable(labels: Labelled, control: (attributes: Html) => Html): Html {
  const choice = html`<div class="choice">${control(attributesOf(labels))}${label(labels)}</div>`;
  return html`<div class="field">${choice}${notes(labels)}</div>`;
}

function label({ id, label, isOptional = false, optionalWord = 'optional' }: Labelled): Html {
  return html`<label for="${id}">${label}${isOptional && html` <span class="soft">(${optionalWord})</span>`}</label>`;
}

function notes({ id, hint = null, problem }: Labelled): Html {
  const error = problem !== undefined && html`<p class="error" id="${id}-error">${problem}</p>`;
  return html`${hint !== null && html`<p class="hint" id="${id}-hint">${hint}</p>`}${error}`;
}

function attributesOf({ id, hint = null, problem }: Labelled): Html {
  const by = [...(hint === null ? [] : [`${id}-hint`]), ...(problem === undefined ? [] : [`${id}-error`])].join(' ');
  return html` id="${id}"${problem !== undefined && html` aria-invalid="true"`}${by !== '' && html` aria-describedby="${by}"`}`;
}

/**
 * Hidden from people: only a program fills it in.
 *
 * @example
 * ```ts
 * import { honeypot, html } from 'work-suite/kit';
 *
 * const form = html`<form method="post">${honeypot()}<button>Send</button></form>`;
 * ```
 */
export function honeypot(): Html {
  return html`<div class="away" aria-hidden="true"><label for="website">Leave this empty</label>
<input type="text" id="website" name="website" tabindex="-1" autocomplete="off"></div>`;
}
