import { hash, randomBytes } from 'node:crypto';
import { PASSWORD } from './workspace.js';

// A browser and an MCP client, as far as OAuth needs them.

export const MCP_PATH = '/api/v1/ext/mcp';
export const REDIRECT = 'https://app.example.com/oauth/callback';

export type Registration = Record<string, unknown> & { client_id: string; client_secret?: string };
export type Tokens = Record<string, unknown> & { access_token: string; refresh_token: string };

/** Requests with cookies, which are sent to the paths that they were set for; follows no redirect. */
export class Browser {
  private readonly cookies = new Map<string, { value: string; path: string }>();

  constructor(private readonly origin: string) {}

  get(address: string): Promise<Response> {
    return this.send(address, {});
  }

  post(address: string, form: Record<string, string> | URLSearchParams): Promise<Response> {
    return this.send(address, { method: 'POST', body: new URLSearchParams(form) });
  }

  cookie(name: string): string | undefined {
    return this.cookies.get(name)?.value;
  }

  /** Signs in on the sign-in page and returns the response to its form. */
  async signIn(email: string, { password = PASSWORD, returnTo = '/console' } = {}): Promise<Response> {
    const address = `/console/sign-in?return_to=${encodeURIComponent(returnTo)}`;
    const page = await (await this.get(address)).text();
    return this.post(address, { ...hiddenFields(page), email, password });
  }

  private async send(address: string, init: RequestInit): Promise<Response> {
    const url = new URL(address, this.origin);
    // the address of the service as it knows itself may have another host name
    const local = new URL(url.pathname + url.search, this.origin);
    const cookie = [...this.cookies].flatMap(([name, { value, path }]) => (local.pathname.startsWith(path) ? [`${name}=${value}`] : []));
    const headers = { accept: 'text/html', ...(cookie.length > 0 ? { cookie: cookie.join('; ') } : {}) };
    const response = await fetch(local, { ...init, headers, redirect: 'manual' });
    for (const line of response.headers.getSetCookie()) this.keep(line);
    return response;
  }

  private keep(line: string): void {
    const [pair, ...attributes] = line.split(/;\s*/);
    const [name, value] = [pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1)];
    const path = attributes.find((attribute) => /^path=/i.test(attribute))?.slice(5) ?? '/';
    if (value === '') this.cookies.delete(name);
    else this.cookies.set(name, { value, path });
  }
}

export function hiddenFields(page: string): Record<string, string> {
  const inputs = page.match(/<input type="hidden"[^>]*>/g) ?? [];
  return Object.fromEntries(inputs.map((input) => [/name="([^"]*)"/.exec(input)![1], /value="([^"]*)"/.exec(input)![1]]));
}

/** The names of the page's scopes, ticked or not. */
export function scopesOn(page: string): { scope: string; isTicked: boolean }[] {
  const inputs = page.match(/<input type="checkbox"[^>]* name="scope\.[^>]*>/g) ?? [];
  return inputs.map((input) => ({ scope: /name="scope\.([^"]*)"/.exec(input)![1], isTicked: / checked/.test(input) }));
}

/** An MCP client, without the SDK: each of its requests can be bent by an attack. */
export class OAuthClient {
  readonly verifier = randomBytes(32).toString('base64url');
  readonly state = randomBytes(8).toString('base64url');

  constructor(
    readonly url: string,
    readonly registration: Registration,
    readonly resource: string,
    readonly redirectUri = REDIRECT,
  ) {}

  static async register(url: string, metadata: Record<string, unknown> = {}): Promise<OAuthClient> {
    const body = { client_name: 'Test client', redirect_uris: [REDIRECT], token_endpoint_auth_method: 'none', ...metadata };
    const response = await register(url, body);
    if (response.status !== 201) throw new Error(`Registration failed: ${await response.text()}`);
    return new OAuthClient(url, (await response.json()) as Registration, await resourceOf(url), body.redirect_uris[0]);
  }

  /** The address of the authorization request. A parameter that is null is left out. */
  authorizeAddress(changes: Record<string, string | null> = {}): string {
    const parameters = {
      response_type: 'code',
      client_id: this.registration.client_id,
      redirect_uri: this.redirectUri,
      code_challenge: hash('sha256', this.verifier, 'base64url'),
      code_challenge_method: 'S256',
      state: this.state,
      scope: 'tasks:project:read tasks:task:read tasks:task:write crm:contact:read',
      resource: this.resource,
      ...changes,
    };
    const given = Object.entries(parameters).filter(([, value]) => value !== null) as [string, string][];
    return `/oauth/authorize?${new URLSearchParams(given).toString()}`;
  }

  /** Opens the authorization request; the browser is signed in. Returns the address and text of the consent page. */
  async open(browser: Browser, changes: Record<string, string | null> = {}): Promise<{ address: string; page: string }> {
    const response = await browser.get(this.authorizeAddress(changes));
    const location = response.headers.get('location');
    if (response.status !== 303 || location === null) throw new Error(`No consent page: ${response.status} ${await response.text()}`);
    const address = new URL(location, this.url).pathname;
    return { address, page: await (await browser.get(address)).text() };
  }

  /** Authorizes what the client names, or all if it names nothing, with test data unless the form says otherwise. */
  async consent(browser: Browser, form: Record<string, string> = {}, changes: Record<string, string | null> = {}): Promise<URL> {
    const { address, page } = await this.open(browser, changes);
    const offered = scopesOn(page);
    const named = offered.filter(({ isTicked }) => isTicked);
    const ticked = (named.length > 0 ? named : offered).map(({ scope }) => [`scope.${scope}`, 'on']);
    const fields = { ...hiddenFields(page), ...Object.fromEntries(ticked), mode: 'test', ends: '90', decision: 'authorize', ...form };
    return returnAddress(await browser.post(address, fields));
  }

  async connect(browser: Browser, form: Record<string, string> = {}, changes: Record<string, string | null> = {}): Promise<Tokens> {
    const response = await this.exchange(String((await this.consent(browser, form, changes)).searchParams.get('code')));
    if (response.status !== 200) throw new Error(`No tokens: ${await response.text()}`);
    return (await response.json()) as Tokens;
  }

  exchange(code: string, changes: Record<string, string | null> = {}): Promise<Response> {
    return this.token({ grant_type: 'authorization_code', code, redirect_uri: this.redirectUri, code_verifier: this.verifier, ...changes });
  }

  refresh(refresh_token: string, changes: Record<string, string | null> = {}): Promise<Response> {
    return this.token({ grant_type: 'refresh_token', refresh_token, ...changes });
  }

  token(parameters: Record<string, string | null>): Promise<Response> {
    const all = { client_id: this.registration.client_id, resource: this.resource, ...parameters };
    const given = Object.entries(all).filter(([, value]) => value !== null) as [string, string][];
    return fetch(`${this.url}/oauth/token`, { method: 'POST', body: new URLSearchParams(given) });
  }

  revoke(token: string): Promise<Response> {
    const body = new URLSearchParams({ client_id: this.registration.client_id, token });
    return fetch(`${this.url}/oauth/revoke`, { method: 'POST', body });
  }
}

export function register(url: string, body: unknown): Promise<Response> {
  return fetch(`${url}/oauth/register`, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) });
}

export async function resourceOf(url: string): Promise<string> {
  const metadata = await (await fetch(`${url}/.well-known/oauth-protected-resource${MCP_PATH}`)).json();
  return (metadata as { resource: string }).resource;
}

/** Where a page that goes on by itself leads to. */
export async function returnAddress(response: Response): Promise<URL> {
  const refresh = response.headers.get('refresh');
  if (refresh === null) throw new Error(`The page does not go on: ${response.status} ${await response.text()}`);
  return new URL(refresh.replace(/^0; url=/, ''));
}

/** A JSON-RPC message to the MCP endpoint. */
export function rpc(url: string, token: string, method: string, params: Record<string, unknown> = {}): Promise<Response> {
  return fetch(url + MCP_PATH, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  });
}

export async function toolNames(url: string, token: string): Promise<string[]> {
  const response = await rpc(url, token, 'tools/list');
  const body = (await response.json()) as { result: { tools: { name: string }[] } };
  return body.result.tools.map(({ name }) => name);
}
