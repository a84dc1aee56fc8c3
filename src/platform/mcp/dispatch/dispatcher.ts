import { FAULT_STATUS, FaultError, renderFault as renderPlainFault, type RenderFault } from '../protocol/fault.js';
import { jsonResponse, type Exchange, type McpRequest, type McpResponse, type Step } from './exchange.js';
import { Guides, type Guide } from '../local-tools/guides.js';
import {
  echoableId,
  errorMessage,
  invalidRequest,
  isObject,
  namedTool,
  parseBody,
  readMessage,
  refusalOf,
  resultMessage,
  RpcError,
  type RequestId,
  type RpcRequest,
  type RpcResponse,
} from '../protocol/json-rpc.js';
import type { LocalTool, McpExtension } from '../local-tools/local-tool.js';
import { Methods } from './methods.js';
import { NO_NARROWING, readNarrowing, type Narrowing } from '../catalog/narrowing.js';
import { ASSUMED_VERSION, BATCH_VERSION, type ServerInfo } from '../protocol/protocol.js';
import { header } from '../protocol/request-headers.js';
import { Results } from './results.js';
import { revisionOf } from '../protocol/revision.js';
import { searchTools } from '../local-tools/search-tools.js';
import type { Catalogue } from '../catalog/tool-catalog.js';
import { ToolCalls } from './tool-calls.js';
import { ToolList } from './tool-list.js';

export interface DispatcherOptions {
  catalogue: Catalogue;
  serverInfo: ServerInfo;
  guides?: readonly Guide[];
  renderFault?: RenderFault;
  extension?: McpExtension;
}

const MOST_IN_A_BATCH = 100;
const ACCEPTED: McpResponse = { status: 202, headers: {}, body: undefined };

/** One POST of the MCP endpoint: both eras, no sessions, no state between two requests. */
export class McpDispatcher {
  private readonly catalogue: Catalogue;
  private readonly renderFault: RenderFault;
  private readonly extension: McpExtension | undefined;
  private readonly results: Results;
  private readonly list: ToolList;
  private readonly calls: ToolCalls;
  private readonly methods: Methods;
  private readonly listedTools: readonly LocalTool[];
  private readonly searchTools: readonly LocalTool[];
  private readonly guideTool: LocalTool;
  /** What `?tools=` may name beside the catalogue. */
  private readonly listedNames: ReadonlySet<string>;

  constructor(options: DispatcherOptions) {
    const guides = new Guides(options.guides ?? []);
    this.catalogue = options.catalogue;
    this.renderFault = options.renderFault ?? renderPlainFault;
    this.extension = options.extension;
    this.results = new Results(options.serverInfo);
    this.list = new ToolList(options.catalogue, this.results);
    this.methods = new Methods(options.serverInfo, guides, options.extension);
    this.searchTools = searchTools(options.catalogue);
    this.guideTool = guides.tool;
    this.listedTools = [guides.tool, ...(options.extension?.tools ?? [])];
    this.checkNames([...this.searchTools, ...this.listedTools]);
    this.listedNames = new Set(this.listedTools.map(({ name }) => name));
    this.calls = new ToolCalls(options.catalogue, this.list, this.results, this.renderFault, (exchange) =>
      this.localTools(exchange.narrowing),
    );
  }

  /** Throws only what `admit` and the in-process call throw. */
  async handle(request: McpRequest): Promise<McpResponse> {
    let body = request.body;
    let narrowing = NO_NARROWING;
    try {
      if (Buffer.isBuffer(body) || typeof body === 'string') body = parseBody(body);
      narrowing = readNarrowing(request.query, request.headers, this.catalogue, this.listedNames);
    } catch (error) {
      return this.admitted(this.refusal(error, echoableId(body), request), request);
    }
    if (Array.isArray(body)) return this.handleBatch(body, narrowing, request);
    return this.admitted(this.plan(body, narrowing, request, false), request);
  }

  private async handleBatch(messages: readonly unknown[], narrowing: Narrowing, request: McpRequest): Promise<McpResponse> {
    const problem = batchProblem(messages, header(request.headers, 'mcp-protocol-version') ?? ASSUMED_VERSION);
    if (problem !== undefined) return this.admitted(this.refusal(invalidRequest(problem), null, request), request);
    const steps = messages.map((message) => this.plan(message, narrowing, request, true));
    // All are counted before any runs, so that a batch over the limit is refused whole.
    for (const step of steps) await admit(step, request);
    const bodies: string[] = [];
    let headers: Record<string, string> = {};
    for (const step of steps) {
      const { body, headers: own } = await step.run();
      if (body !== undefined) bodies.push(String(body));
      if (isTighter(own, headers)) headers = limitHeaders(own);
    }
    return bodies.length === 0 ? ACCEPTED : jsonResponse(`[${bodies.join(',')}]`, 200, headers);
  }

  private async admitted(step: Step, request: McpRequest): Promise<McpResponse> {
    await admit(step, request);
    return step.run();
  }

  private plan(value: unknown, narrowing: Narrowing, request: McpRequest, batched: boolean): Step {
    try {
      const message = readMessage(value);
      const exchange: Exchange = { request, narrowing, batched, revision: revisionOf(message, request.headers) };
      if (message.kind === 'request') return this.planRequest(message, exchange);
      if (message.kind === 'notification') return { method: message.method, routed: false, run: () => ACCEPTED };
      return { routed: false, run: () => this.receive(message) };
    } catch (error) {
      return { ...this.refusal(error, echoableId(value), request), toolName: namedTool(value) };
    }
  }

  private planRequest(message: RpcRequest, exchange: Exchange): Step {
    const { id, method } = message;
    const { request, narrowing, revision } = exchange;
    if (method === 'tools/call') return this.calls.plan(message, exchange);
    if (method === 'tools/list') {
      return { method, routed: false, run: () => this.listResponse(id, exchange) };
    }
    const { call, cacheable } = this.methods.find(message, revision);
    return {
      method,
      routed: false,
      run: async () => {
        try {
          const result = this.results.complete(await call(this.list.view(request.auth, narrowing)), revision, cacheable);
          return jsonResponse(resultMessage(id, JSON.stringify(result)));
        } catch (error) {
          return this.refusal(error, id, request).run();
        }
      },
    };
  }

  private receive(response: RpcResponse): McpResponse {
    this.extension?.onResponse?.(response.body);
    return ACCEPTED;
  }

  private listResponse(id: RequestId, { request, narrowing, revision }: Exchange): McpResponse {
    const tail = this.list.responseTail(request.auth, narrowing, revision, () => this.localTools(narrowing));
    return jsonResponse(Buffer.concat([Buffer.from(`{"jsonrpc":"2.0","id":${JSON.stringify(id)}`), tail]));
  }

  private localTools(narrowing: Narrowing): LocalTool[] {
    // Whatever is asked for, the instructions name the guide, and without search mode's own tools nothing could be found.
    if (narrowing.searchMode) return [...this.searchTools, this.guideTool];
    const asked = (tool: LocalTool): boolean => tool === this.guideTool || (narrowing.tools?.has(tool.name) ?? true);
    return this.listedTools.filter((tool) => asked(tool) && (tool.readOnly || !narrowing.readOnly));
  }

  private refusal(error: unknown, id: RequestId | null, request: McpRequest): Step {
    if (error instanceof RpcError) {
      return {
        routed: false,
        run: () => {
          request.refused(refusalOf(error));
          return jsonResponse(errorMessage(id, error), error.httpStatus);
        },
      };
    }
    if (!(error instanceof FaultError)) throw error;
    return {
      routed: false,
      run: () => {
        request.refused({ status: FAULT_STATUS, code: error.fault.code });
        return jsonResponse(this.renderFault(error.fault, request.requestId), FAULT_STATUS);
      },
    };
  }

  private checkNames(local: readonly LocalTool[]): void {
    for (const { name } of local) {
      const operation = this.catalogue.byName.get(name)?.binding;
      if (operation !== undefined) {
        throw new Error(`Two tools are named "${name}": the endpoint's own and ${operation.method} ${operation.path.join('')}`);
      }
    }
  }
}

function admit(step: Step, request: McpRequest): void | Promise<void> {
  return step.routed ? undefined : request.admit({ method: step.method, toolName: step.toolName });
}

const LIMIT_HEADER = /^(ratelimit|retry-after)/;

function limitHeaders(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => LIMIT_HEADER.test(name)));
}

/** Of a batch's calls the one after which the fewest are left speaks for all; of equals the last. */
function isTighter(own: Readonly<Record<string, string>>, other: Readonly<Record<string, string>>): boolean {
  const remaining = Number(own['ratelimit-remaining'] ?? NaN);
  return remaining <= Number(other['ratelimit-remaining'] ?? Infinity);
}

function batchProblem(messages: readonly unknown[], version: string): string | undefined {
  if (version !== BATCH_VERSION) return `batches exist only in revision ${BATCH_VERSION}`;
  if (messages.length === 0) return 'an empty batch';
  if (messages.length > MOST_IN_A_BATCH) return `a batch holds at most ${MOST_IN_A_BATCH} messages`;
  const isInitialize = (message: unknown): boolean => isObject(message) && message['method'] === 'initialize';
  return messages.some(isInitialize) ? 'initialize cannot be part of a batch' : undefined;
}
