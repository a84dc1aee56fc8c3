import { Readable } from 'node:stream';
import type { FastifyRequest } from 'fastify';
import { FileResponse, PRIVATE_HEADERS, type FormProblem, type ListBody, type Mode } from '../../kit/index.js';
import type { Manifest } from '../../kit/internal.js';
import type { SignedIn } from '../../platform/people/sessions/session-reader.js';
import type { PermissionRegistry } from '../../platform/registry/permission-registry.js';
import type { Route } from '../../platform/registry/route-registry.js';
import { queryText, type ProductCall, type ProductCalls, type ProductResponse, type Query } from '../calls/product-calls.js';
import { Form, type PasswordFields } from './form.js';
import { ALL_ROWS, CSV, type Parameters } from './parameters.js';
import { CallFailed, type Refused } from './refusals.js';
import { isAllowed, type Required } from './required.js';
import type { Values } from './values.js';

export const CONSOLE = '/console';
const MOST_CHOICES = 2_000;
/** In one filter. */
const MOST_IDS = 50;

/** The metadata of a submitted form. */
export interface Submission {
  action: string;
  /** Distinguishes several forms of the action. */
  formId: string;
  values: Values;
  csrfToken: string;
  /** The same for each attempt to send a form. */
  token: string;
}

/** The part of a page definition that a visit needs. */
export interface VisitedPage {
  path: string;
  permission: Required;
  hasMode?: boolean;
  operations: readonly string[];
  docs?: string;
  parameters?: Parameters;
  actions?: Readonly<Record<string, VisitedAction>>;
}

interface VisitedAction {
  permission?: Required;
  passwords?: PasswordFields;
}

/** The properties that all visits share. */
export interface Site {
  /** The address at which clients reach the suite, without a trailing slash. */
  baseUrl: string;
  /** Whether a mail server is configured. */
  sendsMail: boolean;
  routes: readonly Route[];
  permissions: PermissionRegistry;
  /** In the order of the list of modules. */
  modules: readonly Manifest[];
}

export interface VisitParts {
  request: FastifyRequest;
  page: VisitedPage;
  pages: { at(path: string): VisitedPage | undefined; firstBelow(path: string, visitor: SignedIn): VisitedPage | undefined };
  calls: ProductCalls;
  site: Site;
  visitor: SignedIn;
  /** Encoded parameters of the path. */
  params: Readonly<Record<string, string>>;
  /** The path below `/console`. */
  path: string;
  query: URLSearchParams;
  submission?: Submission;
  refused?: Refused;
}

/** Thrown by a page whose address asks for its list as a file, which is the answer. */
export class FileAsked extends Error {
  override readonly name = 'FileAsked';

  constructor(readonly file: FileResponse) {
    super('The answer is a file.');
  }
}

/** A member's request for a page. */
export class Visit {
  readonly visitor: SignedIn;
  readonly page: VisitedPage;
  readonly path: string;
  readonly query: URLSearchParams;
  /** The mode of the page; live for pages without one. */
  readonly mode: Mode;
  /** The submitted form that has to be corrected. */
  readonly refused: Refused | undefined;
  readonly submission: Submission | undefined;
  readonly labels = new Map<string, string>();
  readonly linkProblems: FormProblem[] = [];
  /** The pages that the member no longer needs. */
  completed: ReadonlySet<unknown> = new Set();
  private writes = 0;

  constructor(private readonly parts: VisitParts) {
    const { visitor, page, path, query, refused, submission } = parts;
    this.visitor = visitor;
    this.page = page;
    this.path = path;
    this.query = query;
    this.refused = refused;
    this.submission = submission;
    this.mode = page.hasMode === true && query.get('mode') === 'test' ? 'test' : 'live';
  }

  /** The same request, for showing the rejected form again. */
  again(refused: Refused): Visit {
    return Object.assign(new Visit({ ...this.parts, refused }), { completed: this.completed });
  }

  get site(): Site {
    return this.parts.site;
  }

  get request(): FastifyRequest {
    return this.parts.request;
  }

  /** A parameter of the path, encoded for use in the path of a call. */
  param(name: string): string {
    return this.parts.params[name];
  }

  /** Whether the member may use what requires the permission, or one of several. */
  can(required: Required): boolean {
    return isAllowed(this.visitor, required);
  }

  /** Whether the member may send the page's form. */
  may(action: string): boolean {
    const { actions = {}, permission } = this.page;
    return this.can(permission) && this.can(actions[action].permission ?? null);
  }

  /** Reads from the product; an error is shown as an error page. `path` is the part after `/api/v1/org`. */
  get<Body>(path: string, query?: Query): Promise<Body> {
    return this.need<Body>({ method: 'GET', path, query });
  }

  /** Reads a file from the product, with the name to save it under. */
  async file(path: string, query?: Query): Promise<{ bytes: Buffer; filename: string }> {
    const { page, calls, request } = this.parts;
    const mode = page.hasMode ? this.mode : undefined;
    return bodyOf(`GET ${path}`, await calls.file(request, { method: 'GET', path, query, mode }));
  }

  /** A file whose parts name the next one (`Svc-Next-Cursor`), as one stream. A refusal of the first part is an error of this call. */
  async fileInParts(path: string): Promise<{ content: Readable; filename: string }> {
    const { calls, request } = this.parts;
    const read = async (cursor: string | null) => {
      const response = await calls.file(request, { method: 'GET', path, query: { cursor } });
      return { ...bodyOf(`GET ${path}`, response), next: (response.headers['svc-next-cursor'] as string | undefined) ?? null };
    };
    let part = await read(null);
    const { filename } = part;
    async function* contents() {
      yield part.bytes;
      while (part.next !== null) {
        part = await read(part.next);
        yield part.bytes;
      }
    }
    return { content: Readable.from(contents()), filename };
  }

  list<Item>(path: string, query?: Query): Promise<ListBody<Item>> {
    return this.get<ListBody<Item>>(path, query);
  }

  /** The list that the page is about, with the query of `cursorOf`: the address of the page can ask for it as a file with all its rows. */
  async listOfPage<Item>(path: string, query: Query): Promise<ListBody<Item>> {
    if (this.query.get(CSV) === ALL_ROWS && !this.submission) throw new FileAsked(await this.csv(path, query));
    return this.list<Item>(path, query);
  }

  private async csv(path: string, { cursor: _, limit: __, include_total: ___, ...query }: Query): Promise<FileResponse> {
    const { page, calls, request } = this.parts;
    const call = { method: 'GET', path, query, accept: 'text/csv', ...(page.hasMode && { mode: this.mode }) } as const;
    const { bytes, filename } = bodyOf(`GET ${path}`, await calls.file(request, call));
    return new FileResponse('text/csv', bytes, { filename, download: true, headers: PRIVATE_HEADERS });
  }

  /** A whole list, for choices and names. Lists beyond `MOST_CHOICES` are cut. */
  async all<Item>(path: string, query: Query = {}): Promise<{ data: readonly Item[] }> {
    const data: Item[] = [];
    let cursor: string | null = null;
    do {
      const list: ListBody<Item> = await this.list<Item>(path, { ...query, limit: 100, cursor });
      data.push(...list.data);
      cursor = list.next_cursor;
    } while (cursor !== null && data.length < MOST_CHOICES);
    return { data };
  }

  /** The things with these ids, however many there are of their kind; null if the member may not see any. */
  async byIds<Item>(path: string, ids: readonly (string | null)[]): Promise<readonly Item[] | null> {
    const wanted = [...new Set(ids)].filter((id) => id !== null);
    const data: Item[] = [];
    for (let at = 0; at < wanted.length; at += MOST_IDS) {
      const found = await this.find<ListBody<Item>>(path, { id: wanted.slice(at, at + MOST_IDS), limit: MOST_IDS });
      if (!found) return null;
      data.push(...found.data);
    }
    return data;
  }

  /** Null if there is no such thing, or none that the member may see. */
  async find<Body>(path: string, query?: Query): Promise<Body | null> {
    const response = await this.send<Body>({ method: 'GET', path, query });
    if (response.status === 403 || response.status === 404) return null;
    return bodyOf(`GET ${path}`, response);
  }

  post<Body = unknown>(path: string, body: object = {}): Promise<Body> {
    return this.need<Body>({ method: 'POST', path, body });
  }

  put<Body = unknown>(path: string, body: object): Promise<Body> {
    return this.need<Body>({ method: 'PUT', path, body });
  }

  /** `version` is that of the form (`values.version`). Another one is rejected, and the page shows both values. */
  patch<Body = unknown>(path: string, body: object, version?: number): Promise<Body> {
    return this.need<Body>({ method: 'PATCH', path, body, version });
  }

  delete(path: string, version?: number): Promise<unknown> {
    return this.need({ method: 'DELETE', path, version });
  }

  /** Whatever the answer is. */
  send<Body = unknown>(call: ProductCall): Promise<ProductResponse<Body>> {
    const { page, calls, request, submission } = this.parts;
    const mode = page.hasMode ? this.mode : undefined;
    if (call.method === 'GET' || !submission) return calls.send<Body>(request, { mode, ...call });
    this.writes++;
    const idempotencyKey = call.method === 'POST' || call.method === 'PATCH' ? `${submission.token}-${this.writes}` : undefined;
    return calls.send<Body>(request, { mode, csrfToken: submission.csrfToken, idempotencyKey, ...call });
  }

  private async need<Body>(call: ProductCall): Promise<Body> {
    return bodyOf(`${call.method} ${call.path}`, await this.send<Body>(call));
  }

  /** The first page that the member may see below this address. */
  firstBelow(): VisitedPage | undefined {
    return this.parts.pages.firstBelow(this.path, this.visitor);
  }

  /** Whether a page of the console shows live or test data. */
  hasMode(path: string): boolean {
    return this.parts.pages.at(path)?.hasMode === true;
  }

  /** The address of a page of the console by its path; test data stays test data where the page has a mode. */
  link(path: string, query: Query = {}): string {
    const keepsMode = this.mode === 'test' && this.hasMode(path);
    const text = queryText(keepsMode ? { mode: 'test', ...query } : query);
    return `${CONSOLE}${path}${text && `?${text}`}`;
  }

  /** This page with other parameters; null removes one. */
  here(changes: Query = {}): string {
    const { done: _done, ...given } = Object.fromEntries(this.query);
    const text = queryText({ ...given, ...changes });
    return `${CONSOLE}${this.path}${text && `?${text}`}`;
  }

  /** A form of the page. `id` distinguishes several of the same action. */
  form(action: string, options: { id?: string; prefill?: boolean } = {}): Form {
    if (!this.page.actions?.[action]) throw new Error(`The page ${this.page.path} declares no action ${action}.`);
    return new Form(this, action, options);
  }
}

function bodyOf<Body>(call: string, response: ProductResponse<Body>): Body {
  if (response.status >= 400) throw new CallFailed(call, response);
  return response.body as Body;
}
