import { isObject } from '../../../kit/index.js';
import { forwardedHeaders } from '../../http/in-process/tool-call.js';
import type { CallResponse, ResponseHeaders } from '../../request/server-request.js';
import { FAULT_STATUS, FaultError, renderFault as renderPlainFault, type RenderFault } from '../protocol/fault.js';
import { jsonResponse, type Exchange, type LocalStep, type McpRequest, type McpResponse, type RoutedStep, type Step } from './exchange.js';
import { Guides, type Guide } from '../local-tools/guides.js';
import {
  echoableId,
  errorMessage,
  invalidRequest,
  namedTool,
  parseBody,
  readMessage,
  loggedErrorOf,
  resultMessage,
  RpcError,
  type RequestId,
  type RpcRequest,
  type RpcResponse,
} from '../protocol/json-rpc.js';
import type { LocalTool, McpExtension } from '../local-tools/local-tool.js';
import { LISTEN, planListen } from './listen.js';
import { Methods } from './methods.js';
import { NO_FILTER, readToolFilter, type ToolFilter } from '../catalog/tool-filter.js';
import { ASSUMED_VERSION, BATCH_VERSION, RPC, type ServerInfo } from '../protocol/protocol.js';
import { header } from '../protocol/request-headers.js';
import { Results } from './results.js';
import { revisionOf } from '../protocol/revision.js';
import { searchTools } from '../local-tools/search-tools.js';
import type { Catalog } from '../catalog/tool-catalog.js';
import { Vocabulary } from '../text/vocabulary.js';
import type { ReadNames } from './names.js';
import { ToolCalls } from './tool-calls.js';
import { ToolList } from './tool-list.js';

export interface DispatcherOptions {
  catalog: Catalog;
  serverInfo: ServerInfo;
  /** Of the code that runs; null if it is unknown. */
  commit?: string | null;
  guides?: readonly Guide[];
  vocabulary?: Vocabulary;
  renderFault?: RenderFault;
  extension?: McpExtension;
  names?: ReadNames;
}

const MAX_BATCH_SIZE = 100;
/** No tool can have this name. */
const UNKNOWN_TOOL = '(unknown)';
/** Lists that a revision pages. All fit one page, so no cursor is valid. */
const PAGED = new Set(['tools/list', 'resources/list', 'resources/templates/list']);
const accepted = (): McpResponse => ({ status: 202, headers: {}, body: undefined });

/** Handles one POST to the MCP endpoint, of any supported revision. Keeps no sessions and no state between requests. */
export class McpDispatcher {
  private readonly catalog: Catalog;
  private readonly renderFault: RenderFault;
  private readonly extension: McpExtension | undefined;
  private readonly results: Results;
  private readonly list: ToolList;
  private readonly calls: ToolCalls;
  private readonly methods: Methods;
  private readonly listedTools: readonly LocalTool[];
  private readonly searchTools: readonly LocalTool[];
  private readonly guideTool: LocalTool;
  private readonly localNames: ReadonlySet<string>;
  /** The names that `?tools=` accepts in addition to the catalog. */
  private readonly listedNames: ReadonlySet<string>;

  constructor(options: DispatcherOptions) {
    const guides = new Guides(options.guides ?? []);
    const vocabulary = options.vocabulary ?? new Vocabulary();
    this.catalog = options.catalog;
    this.renderFault = options.renderFault ?? renderPlainFault;
    this.extension = options.extension;
    this.results = new Results(options.serverInfo);
    this.list = new ToolList(options.catalog, this.results);
    this.methods = new Methods(options, guides);
    this.guideTool = guides.tool;
    this.listedTools = [guides.tool, ...(options.extension?.tools ?? [])];
    this.searchTools = searchTools(options.catalog, this.listedTools, vocabulary);
    this.checkNames([...this.searchTools, ...this.listedTools]);
    this.localNames = new Set([...this.searchTools, ...this.listedTools].map(({ name }) => name));
    this.listedNames = new Set(this.listedTools.map(({ name }) => name));
    this.calls = new ToolCalls(
      options.catalog,
      this.list,
      this.results,
      this.renderFault,
      vocabulary,
      (exchange) => this.localTools(exchange.filter),
      options.names ?? NO_NAMES,
    );
  }

  /** Throws only the errors of `admit`, of `openStream` and of the in-process call. */
  async handle(request: McpRequest): Promise<McpResponse> {
    let body = request.body;
    let filter = NO_FILTER;
    try {
      if (Buffer.isBuffer(body) || typeof body === 'string') body = parseBody(body);
      filter = this.filterOf(request);
    } catch (error) {
      return this.admitAndRun(this.errorStep(error, echoableId(body), request), request);
    }
    if (Array.isArray(body)) return this.handleBatch(body, filter, request);
    return this.admitAndRun(this.plan(body, filter, request, false), request);
  }

  /**
   * Makes the one tool call of a body, if its route counts and logs it. Null for every other body: nothing has happened then, and `handle`
   * must be called with it.
   */
  planCall(request: McpRequest): (() => Promise<CallResponse>) | null {
    try {
      const filter = this.filterOf(request);
      const step = this.plan(parseBody(request.body as Buffer | string), filter, request, false);
      return step.routed ? () => callRoute(step, request) : null;
    } catch {
      return null;
    }
  }

  private filterOf(request: McpRequest): ToolFilter {
    return this.list.withMode(request.auth, readToolFilter(request.query, request.headers, this.catalog, this.listedNames));
  }

  private async handleBatch(messages: readonly unknown[], filter: ToolFilter, request: McpRequest): Promise<McpResponse> {
    const problem = batchProblem(messages, header(request.headers, 'mcp-protocol-version') ?? ASSUMED_VERSION);
    if (problem !== undefined) return this.admitAndRun(this.errorStep(invalidRequest(problem), null, request), request);
    const steps = messages.map((message) => this.plan(message, filter, request, true));
    // All are counted before any runs, so that a batch over the limit has no effect.
    for (const step of steps) await admit(step, request);
    const bodies: string[] = [];
    let headers: ResponseHeaders = {};
    let uncompressed: ResponseHeaders = {};
    for (const step of steps) {
      const { body, headers: own } = await run(step, request);
      if (body !== undefined) bodies.push(String(body));
      if (isTighter(own, headers)) headers = limitHeaders(own);
      if (String(own['cache-control']).includes('no-transform')) uncompressed = { 'cache-control': own['cache-control'] };
    }
    return bodies.length === 0 ? accepted() : jsonResponse(`[${bodies.join(',')}]`, 200, { ...headers, ...uncompressed });
  }

  private async admitAndRun(step: Step, request: McpRequest): Promise<McpResponse> {
    await admit(step, request);
    return run(step, request);
  }

  private plan(value: unknown, filter: ToolFilter, request: McpRequest, batched: boolean): Step {
    try {
      const message = readMessage(value);
      const exchange: Exchange = { request, filter, batched, revision: revisionOf(message, request.headers) };
      if (message.kind === 'request') return this.planRequest(message, exchange);
      if (message.kind === 'notification') return { method: message.method, routed: false, run: accepted };
      return { routed: false, run: () => this.receive(message) };
    } catch (error) {
      return { ...this.errorStep(error, echoableId(value), request), toolName: this.knownTool(namedTool(value)) };
    }
  }

  /** The request log must not hold arbitrary text of a caller, which could be a secret in the wrong place. */
  private knownTool(name: string | undefined): string | undefined {
    if (name === undefined) return undefined;
    return this.catalog.byName.has(name) || this.localNames.has(name) ? name : UNKNOWN_TOOL;
  }

  private planRequest(message: RpcRequest, exchange: Exchange): Step {
    const { id, method } = message;
    const { request, filter, revision } = exchange;
    if (method === 'tools/call') return this.calls.plan(message, exchange);
    if (PAGED.has(method) && message.params['cursor'] !== undefined) {
      throw new RpcError(RPC.invalidParams, 'Invalid params: cursor is unknown; the list has one page');
    }
    if (method === 'tools/list') {
      return { method, routed: false, run: () => this.listResponse(id, exchange) };
    }
    if (method === LISTEN && revision.modern) return planListen(message, exchange, this.results);
    const { call, cacheable } = this.methods.find(message, revision);
    return {
      method,
      routed: false,
      run: async () => {
        try {
          const result = this.results.complete(await call(this.list.view(request.auth, filter)), revision, cacheable);
          return jsonResponse(resultMessage(id, JSON.stringify(result)));
        } catch (error) {
          return this.errorStep(error, id, request).run();
        }
      },
    };
  }

  private receive(response: RpcResponse): McpResponse {
    this.extension?.onResponse?.(response.body);
    return accepted();
  }

  private listResponse(id: RequestId, { request, filter, revision }: Exchange): McpResponse {
    return jsonResponse(this.list.response(id, request.auth, filter, revision, () => this.localTools(filter)));
  }

  private localTools(filter: ToolFilter): LocalTool[] {
    // The filter never hides the guide, which the instructions name, nor the tools that search mode needs.
    if (filter.searchMode) return [...this.searchTools, this.guideTool];
    const isSelected = (tool: LocalTool): boolean => tool === this.guideTool || (filter.tools?.has(tool.name) ?? true);
    return this.listedTools.filter((tool) => isSelected(tool) && (tool.readOnly || !filter.readOnly));
  }

  private errorStep(error: unknown, id: RequestId | null, request: McpRequest): LocalStep {
    if (error instanceof RpcError) {
      return {
        routed: false,
        run: () => {
          request.logError(loggedErrorOf(error));
          return jsonResponse(errorMessage(id, error), error.httpStatus);
        },
      };
    }
    if (!(error instanceof FaultError)) throw error;
    return {
      routed: false,
      run: () => {
        request.logError({ status: FAULT_STATUS, code: error.fault.code });
        return jsonResponse(this.renderFault(error.fault, request.requestId), FAULT_STATUS);
      },
    };
  }

  private checkNames(local: readonly LocalTool[]): void {
    for (const { name } of local) {
      const operation = this.catalog.byName.get(name)?.binding;
      if (operation !== undefined) {
        throw new Error(`Two tools are named "${name}": the endpoint's own and ${operation.method} ${operation.path.join('')}`);
      }
    }
  }
}

function admit(step: Step, request: McpRequest): void | Promise<void> {
  return step.routed ? undefined : request.admit({ method: step.method, toolName: step.toolName });
}

async function run(step: Step, request: McpRequest): Promise<McpResponse> {
  return step.routed ? callRoute(step, request) : step.run();
}

const unnamed = () => () => undefined;
const NO_NAMES: ReadNames = { projectKeysOf: unnamed, projectIdsOf: unnamed, keyNamesOf: unnamed };

async function callRoute(step: RoutedStep, request: McpRequest): Promise<CallResponse> {
  const response = await request.call(step.call);
  const { status, headers, body } = await step.respond(response);
  return { status, headers: { ...forwardedHeaders(response.headers), ...headers }, body };
}

const LIMIT_HEADER = /^(ratelimit|retry-after)/;

function limitHeaders(headers: Readonly<ResponseHeaders>): ResponseHeaders {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => LIMIT_HEADER.test(name)));
}

/** A batch returns the rate limit headers of the call with the fewest requests remaining; among equals, of the last. */
function isTighter(own: Readonly<ResponseHeaders>, other: Readonly<ResponseHeaders>): boolean {
  const remaining = Number(own['ratelimit-remaining'] ?? NaN);
  return remaining <= Number(other['ratelimit-remaining'] ?? Infinity);
}

function batchProblem(messages: readonly unknown[], version: string): string | undefined {
  if (version !== BATCH_VERSION) return `batches exist only in revision ${BATCH_VERSION}`;
  if (messages.length === 0) return 'a batch must not be empty';
  if (messages.length > MAX_BATCH_SIZE) return `a batch may have at most ${MAX_BATCH_SIZE} messages`;
  const isInitialize = (message: unknown): boolean => isObject(message) && message['method'] === 'initialize';
  return messages.some(isInitialize) ? 'a batch must not contain initialize' : undefined;
}
