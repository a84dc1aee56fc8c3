import { html, type FormProblem, type Html } from '../../../../../kit/index.js';
import { hasLines, isEntered, isOpen, labelOfOption, longestOf, writtenValue } from '../../../model/placed/placed-values.js';
import type { FieldInFile, PlacedField } from '../../../model/core/placed-fields.js';
import { directionOf } from '../../../engine/content/printed-words.js';
import type { FieldState } from './field-states.js';
import { described, errorOf } from '../../../pages/document-frame.js';
import type { PageMark } from '../../../pages/document-pages.js';
import { placedTextsIn } from '../../../pages/texts/placed-texts.js';

/** The fields of a party as its page shows them. */
export interface PlacedInputs {
  /** In the order of the pages. */
  fields: readonly FieldInFile[];
  /** What the party sent; null for a page that it has not sent. */
  given: Readonly<Record<string, unknown>> | null;
  problems: readonly FormProblem[];
  /** By key. */
  states: Readonly<Record<string, FieldState>>;
  /** Of the page, BCP 47. */
  language: string;
}

/** The id of the control in which a field is filled in. */
export function inputId({ key }: Pick<PlacedField, 'key'>): string {
  return `placed_${key}`;
}

/** Where this party signs and fills something in. A mark leads to its control; its text begins where lines of the document begin. */
export function placedMarks({ fields, states, language }: PlacedInputs, written = language): PageMark[] {
  const { marks } = placedTextsIn(language);
  const direction = directionOf(written) === directionOf(language) ? false : html` dir="${directionOf(written)}"`;
  return fields.flatMap((field): PageMark[] => {
    const { kind, options = [], label, key } = field;
    const mark = (target: string, text: string, option: string | null = null) => {
      const chosen = option !== null && html` data-option="${option}"`;
      const attributes = html` data-kind="${kind}" data-key="${key}" data-text="${text}"${chosen}${!states[key].shown && html` data-off`}`;
      // boxes are too small for a text
      const isBox = kind === 'checkbox' || option !== null;
      return html`<a href="#${target}"${attributes}${direction}${isBox && html` aria-label="${text}"`}>${!isBox && text}</a>`;
    };
    if (!isEntered(field)) return [{ ...field, content: mark('sign_part', label ?? marks[kind as keyof typeof marks]) }];
    const target = inputId(field);
    if (kind !== 'choice' || options.every(({ place }) => place === null)) return [{ ...field, content: mark(target, label ?? key) }];
    return options.flatMap((option) =>
      option.place === null
        ? []
        : [{ position: field.position, ...option.place, content: mark(target, labelOfOption(option) as string, option.value) }],
    );
  });
}

/** The controls of what this party fills in. */
export function placedControls(legend: string, inputs: PlacedInputs): Html | false {
  const entered = inputs.fields.filter(isEntered);
  if (entered.length === 0) return false;
  const texts = placedTextsIn(inputs.language);
  const isConditional = entered.some(({ shown_when = null }) => shown_when !== null);
  return html`<fieldset class="placed"><legend>${legend}</legend>
${isConditional && html`<p class="hint unscripted">${texts.conditional}</p>`}
${entered.map((field) => control(field, inputs))}</fieldset>`;
}

function control(field: PlacedField, inputs: PlacedInputs): Html {
  const { kind, key, label, hint = null, required, options = [] } = field;
  const { problems, states, language } = inputs;
  const texts = placedTextsIn(language);
  const id = inputId(field);
  const note = isOpen(field)
    ? hint
    : `${hint === null ? '' : `${hint} `}(${(field.calculated ?? null) === null ? texts.fixed : texts.calculated})`;
  const noteId = note === null ? undefined : `${id}_hint`;
  const value = valueOf(field, inputs);
  const isNeeded = required && isOpen(field);
  const attributes = html`${described(id, problems, noteId)}${isNeeded && html` aria-required="true"`}`;
  const name = html` name="fields.${key}"`;
  const prompt = html`${label}${isOpen(field) && !required && kind !== 'checkbox' && html` <span class="soft">(${texts.optional})</span>`}`;
  const notes = html`${note !== null && html`<p class="hint" id="${noteId as string}">${note}</p>`}${errorOf(id, problems)}`;
  const part = (body: Html) =>
    html`<div class="field" data-field="${key}" data-kind="${kind}"${isNeeded && html` data-required`}${
      !states[key].shown && html` data-off`
    }>${body}</div>`;
  if (!isOpen(field))
    return part(
      html`<label for="${id}">${prompt}</label>${notes}${
        hasLines(field)
          ? html`<textarea id="${id}" rows="4" readonly${attributes}>${states[key].value}</textarea>`
          : html`<input id="${id}" value="${states[key].value}" readonly${attributes}>`
      }`,
    );
  if (kind === 'checkbox')
    return part(html`<div class="choice">
<input type="checkbox" id="${id}"${name} value="true"${value === 'true' && html` checked`}${attributes}>
<label for="${id}">${prompt}</label></div>${notes}`);
  if (kind === 'choice')
    return part(html`<div role="radiogroup" id="${id}" tabindex="-1" aria-labelledby="${id}_label"${attributes}>
<p class="prompt" id="${id}_label">${prompt}</p>${notes}${options.map(
      (option, index) =>
        html`<div class="choice"><input type="radio" id="${id}_${index}"${name} value="${option.value}"${
          value === option.value && html` checked`
        }><label for="${id}_${index}">${labelOfOption(option) as string}</label></div>`,
    )}</div>`);
  const isList = kind === 'list';
  const body = isList
    ? html`<select id="${id}"${name}${attributes}><option value="">${texts.pickOne}</option>${options.map(
        (option) =>
          html`<option value="${option.value}"${value === option.value && html` selected`}>${labelOfOption(option) as string}</option>`,
      )}</select>`
    : hasLines(field)
      ? html`<textarea id="${id}"${name} rows="4" maxlength="${longestOf(field)}"${attributes}>${value}</textarea>`
      : html`<input id="${id}"${name}${typeOf(field)} value="${value}"${attributes}>`;
  return part(html`<label for="${id}">${prompt}</label>${notes}${body}`);
}

/** As the party typed it, or else the default. */
function valueOf(field: PlacedField, { given, language }: PlacedInputs): string {
  const { key, kind } = field;
  if (given !== null && isOpen(field)) {
    const sent: unknown = Object.hasOwn(given, key) ? given[key] : '';
    return typeof sent === 'string' ? (kind === 'checkbox' ? String(sent !== '') : sent) : '';
  }
  const standard = field.default ?? '';
  return kind === 'number' && standard !== '' ? writtenValue(field, standard, language) : standard;
}

function typeOf(field: PlacedField): Html {
  const { kind, min = null, max = null } = field;
  if (kind === 'number') return html` type="text" inputmode="decimal" maxlength="60" autocomplete="off"`;
  if (kind === 'email') return html` type="email" maxlength="${longestOf(field)}" autocomplete="email"`;
  if (kind !== 'entered_date') return html` type="text" maxlength="${longestOf(field)}"`;
  return html` type="date"${min !== null && html` min="${min}"`}${max !== null && html` max="${max}"`}`;
}
