/** A parameter of a page's address. */
interface Parameter {
  /** The label of its field. */
  label: string;
  /** The parameter of the page's operation, if it is named differently. */
  of?: string;
  /** The valid values, if no operation checks it. */
  values?: readonly string[];
  /** Whether it only affects the presentation and filters nothing. */
  isView?: boolean;
}

export type Parameters = Readonly<Record<string, Parameter>>;

/** A request for a page. */
interface Addressed {
  page: { hasMode?: boolean; parameters?: Parameters };
  query: URLSearchParams;
}

/** An invalid value in the address, and why. */
export interface AddressProblem {
  /** The parameter; null if no single one can be named. */
  name: string | null;
  text: string;
}

/** Thrown by a page for an invalid parameter in its address. The error page names the parameter and links to the page without it. */
export class AddressRefused extends Error {
  override readonly name = 'AddressRefused';

  constructor(readonly problems: readonly AddressProblem[]) {
    super(problems.map(({ text }) => text).join(' '));
  }
}

const MODE: Parameter = { label: 'Data', values: ['live', 'test'], isView: true };
/** The parameter that asks for the list of the page as a file. */
export const CSV = 'csv';
export const ALL_ROWS = 'rows';
const FILE: Parameter = { label: 'File', values: [ALL_ROWS], isView: true };
const CURSOR: Parameter = { label: 'Page of the list', isView: true };

/** Which part of a page is shown, one of the parts of `tabs`. */
export function tabParameter(items: readonly { key: string }[]): Parameters {
  return { tab: { label: 'Part of the page', values: items.map(({ key }) => key), isView: true } };
}

/** Rejects invalid values of the address that no operation checks. */
export function refuseAddress({ page, query }: Addressed): void {
  const problems = Object.entries(parametersOf(page)).flatMap(([name, { values, label }]): AddressProblem[] => {
    const given = query.get(name);
    if (!values || given === null || given === '' || values.includes(given)) return [];
    return [{ name, text: `${label} is \u201c${given}\u201d, but must be one of ${values.join(', ')}.` }];
  });
  if (problems.length > 0) throw new AddressRefused(problems);
}

/** A problem that an operation has with one of its parameters, in the words of the page. `rest` is its message after the name. */
export function addressProblem({ page, query }: Addressed, parameter: string, message: string, rest: string | undefined): AddressProblem {
  const known = Object.entries(parametersOf(page)).find(([name, { of = name }]) => of === parameter);
  if (!known) return { name: query.has(parameter) ? parameter : null, text: message };
  const [name, { label }] = known;
  const given = query.get(name) ?? '';
  return { name, text: rest === undefined ? `${label}: ${message}` : `${label} is \u201c${given}\u201d, but ${rest}.` };
}

/** The names of the parameters that filter rows. */
export function filtersOf({ page }: Addressed): string[] {
  return Object.entries(page.parameters ?? {})
    .filter(([, { isView = false }]) => !isView)
    .map(([name]) => name);
}

/** All parameters, including those of the frame. */
export function parametersOf({ hasMode = false, parameters = {} }: Addressed['page']): Parameters {
  return { cursor: CURSOR, [CSV]: FILE, ...(hasMode && { mode: MODE }), ...parameters };
}
