import { Client, type ApiResponse } from './client.js';
import type { Workspace } from './workspace.js';

export interface ConsoleResponse {
  status: number;
  text: string;
  headers: Headers;
  /** Where the page leads to; empty if it leads nowhere. */
  location: string;
}

/** A signed-in member who uses the console without a script. */
export class ConsoleVisitor {
  private readonly client: Client;

  constructor(
    url: string,
    cookie: string,
    readonly csrfToken: string,
  ) {
    this.client = new Client(url, { cookie, accept: 'text/html' });
  }

  static async signIn(url: string, workspace: Pick<Workspace, 'signIn'>, email?: string): Promise<ConsoleVisitor> {
    const { headers } = await workspace.signIn(email);
    return new ConsoleVisitor(url, headers.cookie, headers['x-csrf-token']);
  }

  get(path: string): Promise<ConsoleResponse> {
    return this.respond(this.client.get(path));
  }

  /**
   * Fills in the page's form of the action and sends it. Names that `values` does not have are sent as the page suggests; a list is
   * sent as often as it has items.
   */
  async submit(path: string, action: string, values: Record<string, string | string[]> = {}, id = ''): Promise<ConsoleResponse> {
    const { text } = await this.get(path);
    return this.send(path, { ...suggestedBy(formOf(text, action, id)), ...values });
  }

  /** Sends values to a page as they are. */
  send(path: string, values: Record<string, string | string[]>): Promise<ConsoleResponse> {
    const pairs = Object.entries(values).flatMap(([name, value]) => [value].flat().map((one): [string, string] => [name, one]));
    const body = new URLSearchParams(pairs).toString();
    return this.respond(this.client.post(path, body, { 'content-type': 'application/x-www-form-urlencoded;charset=UTF-8' }));
  }

  private async respond(sent: Promise<ApiResponse>): Promise<ConsoleResponse> {
    const { status, headers: given, text } = await sent;
    const headers = new Headers(given);
    return { status, headers, text, location: headers.get('location') ?? '' };
  }
}

/** The markup of a form. Throws if the page shows none. */
export function formOf(text: string, action: string, id = ''): string {
  const forms = text.match(/<form method="post"[^]*?<\/form>/g) ?? [];
  const has = (form: string, name: string, value: string) => form.includes(`name="${name}" value="${value}"`);
  const found = forms.find((form) => has(form, 'action', action) && (id === '' || has(form, 'form', id)));
  if (found === undefined) throw new Error(`The page shows no form ${action}: ${text.slice(text.indexOf('<main'), 3_000)}`);
  return found;
}

/** The values that a form would send if nobody changed it. */
export function suggestedBy(form: string): Record<string, string | string[]> {
  const values: Record<string, string[]> = {};
  const add = (name: string, value: string) => (values[name] ??= []).push(unescaped(value));
  for (const [input] of form.matchAll(/<input [^>]*>/g)) {
    const [name, value] = [attribute(input, 'name'), attribute(input, 'value')];
    const isChoice = /type="(?:checkbox|radio)"/.test(input);
    if (name !== undefined && !/ disabled[ >]/.test(input) && (!isChoice || / checked[ >]/.test(input))) add(name, value ?? 'on');
  }
  for (const [, name, value] of form.matchAll(/<textarea name="([^"]*)"[^>]*>\n?([^<]*)<\/textarea>/g)) add(name, value);
  for (const [, name, options] of form.matchAll(/<select name="([^"]*)"[^>]*>([^]*?)<\/select>/g)) {
    const selected = /<option value="([^"]*)" selected>/.exec(options) ?? /<option value="([^"]*)"/.exec(options);
    add(name, selected?.[1] ?? '');
  }
  return values;
}

function attribute(tag: string, name: string): string | undefined {
  return new RegExp(` ${name}="([^"]*)"`).exec(tag)?.[1];
}

function unescaped(text: string): string {
  const entities: Readonly<Record<string, string>> = { '&lt;': '<', '&gt;': '>', '&quot;': '"', '&#39;': "'", '&amp;': '&' };
  return text.replace(/&(?:lt|gt|quot|#39|amp);/g, (entity) => entities[entity]);
}
