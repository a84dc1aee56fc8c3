import { randomUUID } from 'node:crypto';
import { html, isCalendarDay, labelled, tickable, type FormProblem, type Html } from '../../kit/index.js';
import type { HtmlValue, Labelled } from '../../kit/internal.js';
import { textOf, type Refused } from './refusals.js';
import type { Values } from './values.js';

/** The passwords that a form asks for, by the name of the field. */
export type PasswordFields = Readonly<Record<string, { label: string; autocomplete: 'current-password' | 'new-password' }>>;

/** The part of a visit that a form needs. */
export interface FormHost {
  visitor: { csrfToken: string };
  page: { path: string; actions?: Readonly<Record<string, { passwords?: PasswordFields }>> };
  query: URLSearchParams;
  refused: Refused | undefined;
  submission: { formId: string; values: Values; token: string } | undefined;
  /** The labels of the page's fields, by id. */
  labels: Map<string, string>;
  /** Suggestions of the address that their fields cannot contain. */
  linkProblems: FormProblem[];
  here(): string;
}

interface FieldOptions {
  /** The parameter of the operation, so that its messages are shown beside the field. */
  name: string;
  label: string;
  hint?: string;
  /** Its label says so, and the browser lets it be empty. */
  isOptional?: boolean;
  /** The stored value, or a suggestion. */
  value?: string | number | null;
}

export interface TextOptions extends FieldOptions {
  type?: 'text' | 'email' | 'number' | 'date' | 'password' | 'tel';
  autocomplete?: string;
  /** Further attributes, such as html` maxlength="100"`. */
  attributes?: Html;
}

export interface Option {
  value: string;
  label: string;
  hint?: HtmlValue;
  disabled?: boolean;
}

export interface OptionGroup {
  label: string;
  /** Only the heading is shown until somebody opens the group; one with a chosen option is open. */
  folds?: boolean;
  options: readonly Option[];
}

export interface Submit {
  label: string;
  /** `quiet` beside a main button, `grave` for irreversible actions. */
  tone?: 'quiet' | 'grave';
  /** A confirmation question; requires scripts. */
  confirm?: string;
}

/** A form of a page. After a rejection it is shown again with the values that were sent and a message beside each invalid field. */
export class Form {
  private readonly id: string;
  /** Defined if this form was rejected. */
  private readonly refused: Refused | undefined;
  private readonly sent: Values | undefined;
  private readonly prefill: boolean;

  constructor(
    private readonly host: FormHost,
    private readonly action: string,
    { id = '', prefill = false }: { id?: string; prefill?: boolean },
  ) {
    this.id = id;
    this.prefill = prefill;
    const { refused, submission } = host;
    const isRefused = refused?.action === action && submission?.formId === id;
    this.refused = isRefused ? refused : undefined;
    this.sent = isRefused ? submission.values : undefined;
  }

  text({ name, type = 'text', autocomplete = 'off', value = '', attributes, ...labels }: TextOptions): Html {
    this.requireFit(name, labels.label, (given) => SHOWN[type]?.(given) ?? true);
    if (type === 'password' && !this.host.page.actions?.[this.action].passwords?.[name])
      throw new Error(`The action ${this.action} of ${this.host.page.path} does not declare the password ${name}.`);
    // passwords must be typed again
    const shown = type === 'password' ? '' : this.kept(name, String(value ?? ''));
    const required = labels.isOptional !== true && html` required`;
    return labelled(
      this.labels({ name, ...labels }, value),
      (linked) =>
        html`<input type="${type}" name="${name}" value="${shown}" autocomplete="${autocomplete}"${required}${linked}${
          attributes ?? null
        }>`,
    );
  }

  area({ name, value = '', rows = 3, ...labels }: FieldOptions & { rows?: number }): Html {
    const required = labels.isOptional !== true && html` required`;
    // HTML drops the first line break
    return labelled(
      this.labels({ name, ...labels }, value),
      (linked) => html`<textarea name="${name}" rows="${rows}"${required}${linked}>
${this.kept(name, String(value ?? ''))}</textarea>`,
    );
  }

  select({ name, value = '', options, ...labels }: FieldOptions & { options: readonly (Option | OptionGroup)[] }): Html {
    const stored = String(value ?? '');
    const selected = this.kept(name, stored);
    const one = (option: Option) =>
      html`<option value="${option.value}"${option.value === selected && html` selected`}>${option.label}</option>`;
    const choices = choicesOf(options);
    this.requireOffered(name, labels.label, choices);
    const isOffered = stored === '' || choices.some((option) => option.value === stored);
    // pages load only the first choices; the stored value stays selected even if it is not among them
    const all = (isOffered ? options : [...options, { value: stored, label: stored }]).map((option) =>
      'options' in option ? html`<optgroup label="${option.label}">${option.options.map(one)}</optgroup>` : one(option),
    );
    return labelled(this.labels({ name, ...labels }, value), (linked) => html`<select name="${name}"${linked}>${all}</select>`);
  }

  /** One checkbox; `values.has(name)` is true if it was ticked. */
  tick({ name, label, hint, checked = false }: { name: string; label: string; hint?: string; checked?: boolean }): Html {
    const isTicked = this.sent ? this.sent.has(name) : this.prefilled(name)?.includes('on') || checked;
    return tickable(
      this.labels({ name, label, hint }, checked ? 'ticked' : 'not ticked', isTicked ? 'ticked' : 'not ticked'),
      (linked) => html`<input type="checkbox" name="${name}"${isTicked && html` checked`}${linked}>`,
    );
  }

  /**
   * A group of checkboxes of one name; `values.all(name)` are the ticked ones. Groups of options have headings. A disabled option keeps
   * its stored value: browsers do not send disabled checkboxes.
   */
  ticks(field: {
    name: string;
    label: string;
    hint?: HtmlValue;
    values?: readonly string[];
    options: readonly (Option | OptionGroup)[];
  }): Html {
    const { values = [] } = field;
    this.requireOffered(field.name, field.label, choicesOf(field.options));
    const ticked = this.sent?.all(field.name) ?? this.prefilled(field.name) ?? values;
    const changed = this.storedNow(namesOf(values, field.options), namesOf(this.sent?.all(field.name) ?? values, field.options));
    return this.group('checkbox', field, (value) => ticked.includes(value), changed, values);
  }

  /** A group of radio buttons. Without a value none is chosen, and the browser asks for one. */
  radios(field: { name: string; label: string; hint?: string; value?: string; options: readonly Option[] }): Html {
    this.requireOffered(field.name, field.label, field.options);
    const chosen = this.kept(field.name, field.value ?? '');
    const changed = this.storedNow(namesOf([field.value ?? ''], field.options), namesOf([chosen], field.options));
    return this.group('radio', field, (value) => value === chosen, changed);
  }

  hidden(name: string, value: string | number): Html {
    return html`<input type="hidden" name="${name}" value="${value}">`;
  }

  /** The value that was sent if the form was rejected, else the suggestion of the address, else `stored`. */
  kept(name: string, stored: string): string {
    return this.sent?.text(name) ?? (this.prefill ? this.host.query.get(name) : null) ?? stored;
  }

  /** `version` is that of the resource that the form changes, so that concurrent changes are not overwritten unseen. */
  render({
    body,
    submit,
    version,
    className,
  }: {
    body?: HtmlValue;
    submit: Submit | readonly Submit[];
    version?: number;
    className?: string;
  }): Html {
    const keepsToken = this.refused && !this.refused.isSentBefore;
    const token = keepsToken && this.host.submission ? this.host.submission.token : randomUUID();
    return html`<form method="post" action="${this.host.here()}"${className !== undefined && html` class="${className}"`}>
${this.hidden('csrf', this.host.visitor.csrfToken)}${this.hidden('token', token)}${this.hidden('action', this.action)}${
      this.id !== '' && this.hidden('form', this.id)
    }${version !== undefined && this.hidden('version', version)}
${body ?? null}
<div class="row">${[submit].flat().map(button)}</div>
</form>`;
  }

  private group(
    type: 'checkbox' | 'radio',
    { name, label, hint, options }: { name: string; label: string; hint?: HtmlValue; options: readonly (Option | OptionGroup)[] },
    isChosen: (value: string) => boolean,
    changed: string | undefined,
    stored: readonly string[] = [],
  ): Html {
    const id = this.labelledId(name, label);
    const problem = this.problemOf(name, label) ?? changed;
    let position = 0;
    const one = ({ value, label: text, hint: more = null, disabled = false }: Option): Html => {
      const own = `${id}-${++position}`;
      const state = html`${isChosen(value) && html` checked`}${disabled && html` disabled`}${type === 'radio' && html` required`}`;
      const keeps = disabled && stored.includes(value) && this.hidden(name, value);
      return html`<div class="choice"><input type="${type}" id="${own}" name="${name}" value="${value}"${state}>${keeps}
<label for="${own}">${text}${more !== null && html` <span class="soft">${more}</span>`}</label></div>`;
    };
    const group = (of: OptionGroup): Html => {
      if (!of.folds) return html`<fieldset class="group"><legend>${of.label}</legend>${of.options.map(one)}</fieldset>`;
      const isOpen = of.options.some(({ value }) => isChosen(value));
      return html`<details class="group"${isOpen && html` open`}><summary>${of.label}</summary>${of.options.map(one)}</details>`;
    };
    const content = options.map((option) => ('options' in option ? group(option) : one(option)));
    return html`<fieldset id="${id}" tabindex="-1"><legend>${label}</legend>${hint !== undefined && html`<p class="hint">${hint}</p>`}${
      problem !== undefined && html`<p class="error">${problem}</p>`
    }
${content}</fieldset>`;
  }

  private labels(
    { name, hint, ...labels }: Omit<FieldOptions, 'value'>,
    stored: string | number | null,
    sent: string | undefined = this.sent?.text(name),
  ): Labelled {
    const changed = this.storedNow(String(stored ?? ''), sent);
    const id = this.labelledId(name, labels.label);
    return { ...labels, id, hint: hint ?? null, problem: this.problemOf(name, labels.label) ?? changed };
  }

  /** After a concurrent change: the stored value, if it differs from the one that was sent. */
  private storedNow(stored: string, sent: string | undefined): string | undefined {
    return this.refused?.status === 412 && stored !== sent ? `Stored now: ${stored === '' ? 'nothing' : stored}` : undefined;
  }

  /** The id of a field. */
  idOf(name: string): string {
    return [this.action, this.id, name].filter(Boolean).join('-');
  }

  private labelledId(name: string, label: string): string {
    const id = this.idOf(name);
    this.host.labels.set(id, label);
    return id;
  }

  private problemOf(name: string, label: string): string | undefined {
    const found = this.refused?.problems.find(({ field }) => field === name);
    return found ? textOf(found, label) : this.host.linkProblems.find(({ field }) => field === this.idOf(name))?.text;
  }

  private requireOffered(name: string, label: string, options: readonly Option[]): void {
    this.requireFit(name, label, (given) => options.some(({ value, disabled = false }) => value === given && !disabled));
  }

  /** Reports a suggestion that the field cannot show, because the form would be sent without it. */
  private requireFit(name: string, label: string, fits: (given: string) => boolean): void {
    if (this.sent) return;
    const wrong = this.prefilled(name)?.filter((given) => given !== '' && !fits(given)) ?? [];
    if (wrong.length === 0) return;
    const text = `${label}: the link suggests ${wrong.map((given) => `\u201c${given}\u201d`).join(', ')}, which cannot be entered here.`;
    this.host.linkProblems.push({ field: this.idOf(name), text });
  }

  private prefilled(name: string): string[] | undefined {
    const { query } = this.host;
    return this.prefill && query.has(name) ? query.getAll(name).flatMap((value) => value.split(',')) : undefined;
  }
}

/** Whether a field of the type can show a value; other types show any text. */
const SHOWN: Partial<Record<NonNullable<TextOptions['type']>, (given: string) => boolean>> = {
  date: isCalendarDay,
  number: (given) => /^-?\d+$/.test(given),
};

function choicesOf(options: readonly (Option | OptionGroup)[]): readonly Option[] {
  return options.flatMap((option) => ('options' in option ? option.options : [option]));
}

/** The chosen options by their labels, in the order of the options. */
function namesOf(values: readonly string[], options: readonly (Option | OptionGroup)[]): string {
  return choicesOf(options)
    .filter(({ value }) => values.includes(value))
    .map(({ label }) => label)
    .join(', ');
}

function button({ label, tone, confirm }: Submit): Html {
  const asks = confirm !== undefined && html` data-confirm="${confirm}"`;
  return html`<button${tone !== undefined && html` class="${tone}"`}${asks}>${label}</button>`;
}

/** The problems with the ids and labels of the page's fields. */
export function linkedProblems(
  problems: Refused['problems'],
  action: string,
  formId: string,
  labels: ReadonlyMap<string, string>,
): FormProblem[] {
  return problems.map((problem) => {
    const id = [action, formId, problem.field].filter(Boolean).join('-');
    const label = problem.field === null || problem.field === '' ? undefined : labels.get(id);
    return { field: label === undefined ? null : id, text: textOf(problem, label) };
  });
}
