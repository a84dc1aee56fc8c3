import type { FormProblem } from '../../kit/index.js';
import { inWords, sentence } from '../calls/failures.js';
import type { ProductError, ProductResponse } from '../calls/product-calls.js';

/** A failed call of a page. If it is not caught, the error page explains it. */
export class CallFailed extends Error {
  override readonly name = 'CallFailed';

  constructor(
    readonly call: string,
    readonly response: ProductResponse<unknown>,
  ) {
    super(`${call}: ${response.error?.message ?? 'no body'}`);
  }

  get status(): number {
    return this.response.status;
  }

  get error(): ProductError | undefined {
    return this.response.error;
  }
}

/** A form that its page rejects without calling an operation. `field` is the name of the field. */
export class FormRefused extends Error {
  override readonly name = 'FormRefused';

  constructor(readonly problems: readonly FormProblem[]) {
    super(problems.map(({ text }) => text).join(' '));
  }
}

/** A problem that an operation reports for one of its parameters. */
export interface CallProblem extends FormProblem {
  /** The parameter. */
  parameter: string;
  /** The text after the parameter's name; undefined if it does not begin with it. */
  rest: string | undefined;
}

/** A form that was not accepted, for the page that shows it again. */
export interface Refused {
  action: string;
  status: number;
  headers: Readonly<Record<string, string>>;
  /** `field` is the name of the form's field. */
  problems: readonly (FormProblem | CallProblem)[];
  requestId: string | null;
  /** It was carried out before with other values: the form gets a new token. */
  isSentBefore?: boolean;
}

/** The problems of an error response; their fields are the operation's parameters, renamed by `fields`. */
export function problemsOf({ error }: ProductResponse<unknown>, fields: Readonly<Record<string, string>> = {}): CallProblem[] {
  if (!error) return [{ field: null, text: 'Something went wrong.', parameter: '', rest: undefined }];
  const found = error.details ?? [{ param: error.param ?? '', message: error.message }];
  return found.map(({ param, message }) => ({
    field: fields[param] ?? fields[memberOf(param)] ?? memberOf(param),
    text: sentence(message),
    parameter: memberOf(param),
    rest: param !== '' && message.startsWith(`${param} `) ? inWords(message.slice(param.length + 1)) : undefined,
  }));
}

/** The text of a problem with the field's label in the form. */
export function textOf(problem: FormProblem | CallProblem, label: string | undefined): string {
  return label !== undefined && 'rest' in problem && problem.rest !== undefined ? `${label} ${problem.rest}.` : problem.text;
}

/** `scopes` of `scopes.3` or `scopes[3]`. */
function memberOf(param: string): string {
  return param.split(/[.[]/, 1)[0];
}
