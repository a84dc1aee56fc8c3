import { isObject } from '../../../kit/index.js';
import { restoringOperation, undoOf } from '../../../kit/internal.js';
import type { CallResponse, HttpResponse, ResponseHeaders } from '../../request/server-request.js';
import type { CallRequest } from '../../http/in-process/tool-call.js';
import { parseJson } from '../../http/validation/parse-json.js';
import { validateArguments, compileArgumentSchema, shortList, type ArgumentSchema } from '../catalog/argument-validation.js';
import { isListedFor } from '../catalog/caller-input.js';
import { applyClear } from '../catalog/clear-argument.js';
import { keysIn, projectsIn } from './answer.js';
import { bodyOf, callResultMembers, faultResultMembers, isJson, withArgumentNames } from './call-result.js';
import { FAULT_STATUS, FaultError, type McpFault, type RenderFault } from '../protocol/fault.js';
import { withHints } from './error-hints.js';
import { EventStream } from './event-stream.js';
import { jsonResponse, streamResponse, type Exchange, type McpResponse, type Step } from './exchange.js';
import { toHttpRequest, type HttpBinding } from '../catalog/http-binding.js';
import { ALL_FIELDS, FIELDS } from '../catalog/tool-input.js';
import { errorMessage, NOT_FOUND, loggedErrorOf, resultMessage, RpcError, type RpcRequest } from '../protocol/json-rpc.js';
import type { LocalCall, LocalTool, McpAuth } from '../local-tools/local-tool.js';
import { allows } from '../catalog/tool-filter.js';
import { nearestName } from '../text/nearest-name.js';
import type { Vocabulary } from '../text/vocabulary.js';
import { RPC, type Json, type Tool } from '../protocol/protocol.js';
import { checkParameterHeaders, header, parameterHeaders } from '../protocol/request-headers.js';
import type { ReadNames } from './names.js';
import { projectKeysIn, replaceProjects } from './projects.js';
import type { Results } from './results.js';
import { CALL_TOOL, CALL_TOOL_ARGUMENTS } from '../local-tools/search-tools.js';
import type { Catalog, CatalogTool } from '../catalog/tool-catalog.js';
import { recordsIn } from '../catalog/record-tree.js';
import type { ToolList } from './tool-list.js';

interface RoutedCall extends CallRequest {
  tool: CatalogTool;
  args: Json;
  /** Keys of projects in the arguments that are those of no project, known once the call is routed. */
  unknownKeys: string[];
  fields: readonly string[] | undefined;
  record: string | undefined;
}

interface Target {
  name: string;
  arguments: Json;
}

/** `tools/call`: finds the tool, checks what only the endpoint can check, and calls the route. */
export class ToolCalls {
  constructor(
    private readonly catalog: Catalog,
    private readonly list: ToolList,
    private readonly results: Results,
    private readonly renderFault: RenderFault,
    private readonly vocabulary: Vocabulary,
    private readonly localTools: (exchange: Exchange) => readonly LocalTool[],
    private readonly names: ReadNames,
  ) {}

  plan(message: RpcRequest, exchange: Exchange): Step {
    const { name, arguments: args } = this.target(message, exchange);
    const tool = this.catalog.byName.get(name);
    if (tool !== undefined && allows(exchange.filter, tool)) return this.planRoute(message, exchange, tool, args);
    const local = this.localTools(exchange).find((candidate) => candidate.name === name);
    if (local !== undefined) {
      const view = this.list.view(exchange.request.auth, exchange.filter);
      const definition = local.definition(view);
      if (definition !== undefined) {
        const call: LocalCall = { arguments: args, params: message.params, revision: exchange.revision, view, notify: undefined };
        return this.planLocal(message, exchange, local, definition, call);
      }
    }
    throw this.unknownTool(name, exchange);
  }

  /** `call_tool` is replaced by the call it contains, so that the same checks apply to both. */
  private target(message: RpcRequest, { filter }: Exchange): Target {
    const outer = readTarget(message.params);
    if (outer.name !== CALL_TOOL || !filter.searchMode || typeof outer.arguments['name'] !== 'string') return outer;
    if (!Object.keys(outer.arguments).every((name) => CALL_TOOL_ARGUMENTS.has(name))) return outer;
    const inner = outer.arguments['arguments'];
    return readTarget({ name: outer.arguments['name'], arguments: typeof inner === 'string' ? parsedObject(inner) : inner });
  }

  private planRoute(message: RpcRequest, exchange: Exchange, tool: CatalogTool, args: Json): Step {
    const { request, revision } = exchange;
    if (revision.modern && tool.parameterHeaders.length > 0) {
      checkParameterHeaders(tool.parameterHeaders, args, request.headers);
    }
    const fail = (error: FaultError): Step => ({
      method: message.method,
      toolName: tool.name,
      routed: false,
      run: () => this.faultResponse(message, exchange, error),
    });
    // the body of a tool that writes may have a member of this name
    const fields = tool.readOnly ? fieldsOf(args) : undefined;
    const isListed = (name: string, argument: ArgumentSchema) => isListedFor(tool, request.auth)(name, argument);
    const fault =
      validateArguments(tool.argumentSchema, args, { vocabulary: this.vocabulary, isListed }) ??
      unknownField(fields, tool.fields) ??
      (tool.clearable && applyClear(tool.clearable, args));
    if (fault !== undefined) return fail(new FaultError(fault));
    try {
      const { method, url, headers, body } = toHttpRequest(tool.binding, args);
      const record = recordOf(tool.binding, args);
      const unknownKeys: string[] = [];
      const withIds = this.projectIds(request.auth, tool, args, unknownKeys);
      const call: RoutedCall = {
        method,
        url,
        headers,
        body,
        toolName: tool.name,
        withIds,
        tool,
        args,
        unknownKeys,
        fields,
        record,
      };
      return { routed: true, call, respond: (response) => this.routeResponse(message, exchange, response, call) };
    } catch (error) {
      if (!(error instanceof FaultError)) throw error;
      return fail(error);
    }
  }

  /** Replaces the keys of projects that were sent by their ids, and collects the unknown ones; undefined if none was sent. */
  private projectIds(
    { organizationId, projectId }: McpAuth,
    { projectIds }: CatalogTool,
    args: Json,
    unknown: string[],
  ): CallRequest['withIds'] {
    const keys = projectKeysIn(args, projectIds);
    if (keys.length === 0 || organizationId === undefined) return undefined;
    return async (parts) => {
      const idOf = await this.names.projectIdsOf(organizationId, keys);
      // to a key of one project, the others are as if they did not exist
      const seen = new Map(keys.map((key) => [key, idOf(key)] as const).filter(([, id]) => projectId == null || id === projectId));
      unknown.push(...keys.filter((key) => seen.get(key) === undefined));
      for (const part of parts) if (isObject(part)) replaceProjects(part, projectIds, (key) => seen.get(key));
    };
  }

  private async routeResponse(message: RpcRequest, exchange: Exchange, response: HttpResponse, call: RoutedCall): Promise<CallResponse> {
    const { status, headers, body } = response;
    const challenge = headers['www-authenticate'];
    if (challenge !== undefined && (status === 401 || status === 403) && !exchange.batched) {
      // An OAuth client requests more scopes only after an HTTP challenge (RFC 6750 3.1).
      return jsonResponse(body, status, { 'www-authenticate': challenge });
    }
    // a response with a secret must not be compressed here either
    const cacheControl = String(headers['cache-control']);
    const own = cacheControl.includes('no-transform') ? { 'cache-control': cacheControl } : undefined;
    if (status >= 400 && isJson(response))
      return this.resultResponse(message, exchange, faultResultMembers(this.hinted(response, exchange, call)), own);
    const parsed = isJson(response) ? bodyOf(response) : undefined;
    const { summary, texts, records } = call.tool;
    const found = recordsIn(parsed, records);
    const projectKeys = parsed && (await this.names.projectKeysOf(projectsIn(found)));
    await this.nameKeys(found, exchange);
    const answered = { ...call, summary, texts, records, parsed, projectKeys, restoredBy: this.restoringOf(exchange, call) };
    return this.resultResponse(message, exchange, callResultMembers(response, answered), own);
  }

  /** Keys have no address by which to tell them apart, so their names stand beside their ids. */
  private async nameKeys(records: readonly Json[], { request }: Exchange): Promise<void> {
    const { organizationId } = request.auth;
    const keys = keysIn(records);
    if (keys.length === 0 || organizationId === undefined) return;
    const nameOf = await this.names.keyNamesOf(organizationId, [...new Set(keys.map(({ id }) => id))]);
    for (const key of keys) {
      const name = nameOf(key.id);
      if (name !== undefined) key['name'] = name;
    }
  }

  private hinted({ body, headers }: HttpResponse, { request, filter }: Exchange, { tool, args, unknownKeys }: RoutedCall): string {
    let names: ReadonlySet<string> | undefined;
    const visible = () => (names ??= new Set(this.list.view(request.auth, filter).tools.map(({ name }) => name)));
    return withHints(withArgumentNames(body.toString()), { tool, args, unknownKeys, visible, mode: headers['svc-mode'] });
  }

  /** The tool that undoes a deletion and its argument for the id, if the caller has it. */
  private restoringOf({ filter }: Exchange, { method, toolName }: RoutedCall): string | undefined {
    const undo = undoOf(toolName);
    const tool = method === 'DELETE' ? this.catalog.byName.get(undo?.operation ?? restoringOperation(toolName)) : undefined;
    return tool && allows(filter, tool) ? `${tool.name} with ${undo?.argument ?? 'this id'}` : undefined;
  }

  private faultResponse(message: RpcRequest, exchange: Exchange, error: FaultError): McpResponse {
    exchange.request.logError({ status: FAULT_STATUS, code: error.fault.code });
    return this.resultResponse(message, exchange, faultResultMembers(this.renderFault(error.fault, exchange.request.requestId)));
  }

  private resultResponse(message: RpcRequest, { revision }: Exchange, members: string, headers?: ResponseHeaders): CallResponse {
    const result = `${members}${revision.modern ? this.results.completionTail : ''}}`;
    return jsonResponse(resultMessage(message.id, result), 200, headers);
  }

  private planLocal(message: RpcRequest, exchange: Exchange, tool: LocalTool, definition: Tool, call: LocalCall): Step {
    const { request, revision, batched } = exchange;
    const schema = definition.inputSchema as Json;
    if (revision.modern) checkParameterHeaders(parameterHeaders(schema), call.arguments, request.headers);
    const fault = validateArguments(compileArgumentSchema(schema), call.arguments, { vocabulary: this.vocabulary });
    const respond = async (notify: LocalCall['notify']): Promise<McpResponse> => {
      try {
        if (fault !== undefined) throw new FaultError(fault);
        const result = this.results.complete(await tool.call({ ...call, notify }), revision);
        return jsonResponse(resultMessage(message.id, JSON.stringify(result)));
      } catch (error) {
        if (error instanceof FaultError) return this.faultResponse(message, exchange, error);
        if (!(error instanceof RpcError)) throw error;
        request.logError(loggedErrorOf(error));
        return jsonResponse(errorMessage(message.id, error), error.httpStatus);
      }
    };
    const streams = tool.streams === true && !batched && (header(request.headers, 'accept') ?? '').includes('text/event-stream');
    return { method: message.method, toolName: tool.name, routed: false, run: () => (streams ? streamed(respond) : respond(undefined)) };
  }

  private unknownTool(name: string, { request, filter }: Exchange): RpcError {
    const nearest = nearestName(
      name,
      this.list.view(request.auth, filter).tools.map((tool) => tool.name),
    );
    const hint = nearest === undefined ? '' : `; did you mean "${nearest}"?`;
    return new RpcError(RPC.invalidParams, `Unknown tool: ${name.slice(0, 100)}${hint}`, { logged: NOT_FOUND });
  }
}

function streamed(respond: (notify: LocalCall['notify']) => Promise<McpResponse>): McpResponse {
  const stream = new EventStream();
  respond((message) => stream.notify(message)).then(
    (response) => stream.end(String(response.body)),
    (error: unknown) => stream.readable.destroy(error as Error),
  );
  return streamResponse(stream.readable);
}

/** The members that the caller wants to see, as a list or separated by commas. */
function fieldsOf({ [FIELDS]: fields }: Json): string[] | undefined {
  if (fields === undefined) return undefined;
  const names = [fields ?? []].flat().flatMap((name) => String(name).split(','));
  return names.length === 0 ? undefined : names.map((name) => name.trim());
}

function unknownField(fields: readonly string[] | undefined, known: ReadonlySet<string> | undefined): McpFault | undefined {
  const name = known && fields?.find((field) => field !== ALL_FIELDS && !known.has(field));
  if (name === undefined) return undefined;
  const allowed = [...known!];
  const nearest = nearestName(name, allowed);
  const hint = nearest === undefined ? `the fields are ${shortList(allowed)}` : `did you mean "${nearest}"?`;
  return { code: 'validation_failed', message: `unknown field "${name.slice(0, 100)}"; ${hint}`, param: FIELDS, allowed };
}

function readTarget({ name, arguments: args }: Json): Target {
  if (typeof name !== 'string') throw new RpcError(RPC.invalidParams, 'Invalid params: "name" must be a string');
  if (args !== undefined && !isObject(args))
    throw new RpcError(RPC.invalidParams, `Invalid params: "arguments" must be an object, not ${kindOf(args)}; omit it if there are none`);
  return { name, arguments: args ?? {} };
}

function kindOf(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'an array' : `a ${typeof value}`;
}

/** The last argument in the path, after literal parts: `['/notes/', 'note_id', '']`. */
function recordOf({ path }: HttpBinding, args: Json): string | undefined {
  const name = path.at(-2);
  return name === undefined ? undefined : String(args[name]);
}

function parsedObject(text: string): unknown {
  try {
    return parseJson(text);
  } catch {
    return text;
  }
}
