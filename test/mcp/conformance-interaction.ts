import { createHmac, randomBytes, randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { isObject } from '../../src/kit/index.js';
import { RpcError } from '../../src/platform/mcp/protocol/json-rpc.js';
import { textResult, type LocalCall, type LocalTool } from '../../src/platform/mcp/local-tools/local-tool.js';
import { META, RPC, type Json } from '../../src/platform/mcp/protocol/protocol.js';
import { fixtureTool } from './conformance-content.js';

// The interactions that the conformance suites expect: log messages, progress, and requests to the client.

const metaOf = ({ params }: LocalCall): Json => (isObject(params['_meta']) ? params['_meta'] : {});

/** Before 2026-07-28 the server sends requests on the response stream, and the client responds with a separate POST. */
const pending = new Map<unknown, (response: Json) => void>();

export function onResponse(response: Json): void {
  pending.get(response['id'])?.(response);
  pending.delete(response['id']);
}

async function request(call: LocalCall, method: string, params: Json): Promise<Json> {
  if (call.notify === undefined) throw new RpcError(RPC.invalidRequest, 'The client does not read an event stream');
  const id = randomUUID();
  const response = new Promise<Json>((resolve) => pending.set(id, resolve));
  call.notify({ jsonrpc: '2.0', id, method, params });
  return ((await response)['result'] ?? {}) as Json;
}

async function elicit(call: LocalCall, text: string, properties: Json, required: string[] = []): Promise<Json> {
  return request(call, 'elicitation/create', { message: text, requestedSchema: { type: 'object', properties, required } });
}

async function log(call: LocalCall): Promise<Json> {
  const enabled = !call.revision.modern || metaOf(call)[META.logLevel] !== undefined;
  for (const data of ['Tool execution started', 'Tool processing data', 'Tool execution completed']) {
    if (enabled) call.notify?.({ jsonrpc: '2.0', method: 'notifications/message', params: { level: 'info', data } });
    await delay(50);
  }
  return textResult('Logged');
}

async function progress(call: LocalCall): Promise<Json> {
  const { progressToken } = metaOf(call);
  for (const value of [0, 50, 100]) {
    if (progressToken !== undefined) {
      call.notify?.({ jsonrpc: '2.0', method: 'notifications/progress', params: { progressToken, progress: value, total: 100 } });
    }
    await delay(50);
  }
  return textResult('Done');
}

const described = (description: string): Json => ({ type: 'string', description });
const streamed = { streams: true };
const option = (constant: string, title: string): Json => ({ const: constant, title });

const legacyTools: LocalTool[] = [
  fixtureTool('test_tool_with_logging', log, streamed),
  fixtureTool('test_logging_tool', log, streamed),
  fixtureTool('test_tool_with_progress', progress, streamed),
  fixtureTool(
    'test_sampling',
    async (call) => {
      const content = { type: 'text', text: String(call.arguments['prompt']) };
      const response = await request(call, 'sampling/createMessage', { messages: [{ role: 'user', content }], maxTokens: 100 });
      return textResult(`LLM response: ${JSON.stringify(response['content'])}`);
    },
    { ...streamed, properties: { prompt: described('What to ask.') }, required: ['prompt'] },
  ),
  fixtureTool(
    'test_elicitation',
    async (call) => {
      const properties = { username: described("User's response"), email: described("User's email address") };
      const response = await elicit(call, String(call.arguments['message']), properties, ['username', 'email']);
      return textResult(`User response: ${JSON.stringify(response)}`);
    },
    { ...streamed, properties: { message: described('What to ask.') }, required: ['message'] },
  ),
  fixtureTool(
    'test_elicitation_sep1034_defaults',
    async (call) => {
      const response = await elicit(call, 'Defaults', {
        name: { type: 'string', default: 'John Doe' },
        age: { type: 'integer', default: 30 },
        score: { type: 'number', default: 95.5 },
        status: { type: 'string', enum: ['active', 'inactive', 'pending'], default: 'active' },
        verified: { type: 'boolean', default: true },
      });
      return textResult(`Elicitation completed: ${JSON.stringify(response)}`);
    },
    streamed,
  ),
  fixtureTool(
    'test_elicitation_sep1330_enums',
    async (call) => {
      const titled = [option('value1', 'First Option'), option('value2', 'Second Option'), option('value3', 'Third Option')];
      const plain = ['option1', 'option2', 'option3'];
      const response = await elicit(call, 'Choices', {
        untitledSingle: { type: 'string', enum: plain },
        titledSingle: { type: 'string', oneOf: titled },
        legacyEnum: { type: 'string', enum: ['opt1', 'opt2', 'opt3'], enumNames: ['Option One', 'Option Two', 'Option Three'] },
        untitledMulti: { type: 'array', items: { type: 'string', enum: plain } },
        titledMulti: { type: 'array', items: { anyOf: titled } },
      });
      return textResult(`Elicitation completed: ${JSON.stringify(response)}`);
    },
    streamed,
  ),
];

// From 2026-07-28 a result can request input, and the client repeats the call with the responses (SEP-2322).

const STATE_KEY = randomBytes(32);
const sign = (value: string): string => createHmac('sha256', STATE_KEY).update(value).digest('base64url');
const stateOf = (value: string): string => `${value}.${sign(value)}`;

function readState({ params }: LocalCall): string | undefined {
  const state = params['requestState'];
  if (state === undefined) return undefined;
  const [value = '', signature] = String(state).split('.');
  if (signature !== sign(value)) throw new RpcError(RPC.invalidParams, 'Invalid params: requestState was changed');
  return value;
}

const question = (text: string, field: string, type = 'string'): Json => ({
  method: 'elicitation/create',
  params: { message: text, requestedSchema: { type: 'object', properties: { [field]: { type } }, required: [field] } },
});
const sampling = (text: string, maxTokens: number): Json => ({
  method: 'sampling/createMessage',
  params: { messages: [{ role: 'user', content: { type: 'text', text } }], maxTokens },
});
const roots: Json = { method: 'roots/list', params: {} };

const CAPABILITIES: Readonly<Record<string, string>> = {
  'elicitation/create': 'elicitation',
  'sampling/createMessage': 'sampling',
  'roots/list': 'roots',
};

/** Returns the client's answers if complete, or else a result that requests input. Skips questions that the client cannot answer. */
function answered(call: LocalCall, questions: Record<string, Json>, state?: string): { answers: Json } | { incomplete: Json } {
  const capabilities = (metaOf(call)[META.clientCapabilities] ?? {}) as Json;
  const supported = Object.entries(questions).filter(([, { method }]) => (CAPABILITIES[String(method)] as string) in capabilities);
  const given = isObject(call.params['inputResponses']) ? call.params['inputResponses'] : {};
  if (supported.length > 0 && supported.every(([key]) => isObject(given[key]))) return { answers: given };
  const requestState = state === undefined ? {} : { requestState: stateOf(state) };
  return { incomplete: { resultType: 'input_required', inputRequests: Object.fromEntries(supported), ...requestState } };
}

function interactiveTool(name: string, questions: Record<string, Json>, reply: (answers: Json) => string, state?: string): LocalTool {
  return fixtureTool(name, (call) => {
    readState(call);
    const outcome = answered(call, questions, state);
    return 'answers' in outcome ? textResult(reply(outcome.answers)) : outcome.incomplete;
  });
}

function multiRound(call: LocalCall): Json {
  const state = readState(call);
  const [questions, next] =
    state === 'step2'
      ? [{ step2: question('Step 2: What is your favorite color?', 'color') }, 'step2']
      : [{ step1: question('Step 1: What is your name?', 'name') }, 'step1'];
  const outcome = answered(call, questions as Record<string, Json>, next as string);
  if ('incomplete' in outcome) return outcome.incomplete;
  if (state === 'step2') return textResult('All answered');
  const second = { step2: question('Step 2: What is your favorite color?', 'color') };
  return { resultType: 'input_required', inputRequests: second, requestState: stateOf('step2') };
}

const confirm = { confirm: question('Please confirm', 'ok', 'boolean') };

const modernTools: LocalTool[] = [
  interactiveTool('test_input_required_result_elicitation', { user_name: question('What is your name?', 'name') }, (answers) => {
    const { content } = answers['user_name'] as { content?: Json };
    return `Hello, ${String(content?.['name'])}!`;
  }),
  interactiveTool('test_input_required_result_sampling', { capital_question: sampling('What is the capital of France?', 100) }, (answers) =>
    JSON.stringify(answers['capital_question']),
  ),
  interactiveTool('test_input_required_result_list_roots', { client_roots: roots }, (answers) => JSON.stringify(answers['client_roots'])),
  interactiveTool('test_input_required_result_request_state', confirm, () => 'state-ok', 'confirm'),
  interactiveTool('test_input_required_result_tampered_state', confirm, () => 'state-ok', 'confirm'),
  interactiveTool(
    'test_input_required_result_multiple_inputs',
    { user_name: question('What is your name?', 'name'), greeting: sampling('Generate a greeting', 50), client_roots: roots },
    () => 'All answered',
    'all',
  ),
  interactiveTool(
    'test_input_required_result_capabilities',
    { user_name: question('What is your name?', 'name'), greeting: sampling('Generate a greeting', 50) },
    () => 'All answered',
  ),
  fixtureTool('test_input_required_result_multi_round', multiRound),
  fixtureTool(
    'test_streaming_elicitation',
    (call) => {
      const outcome = answered(call, { user_name: question('What is your name?', 'name') });
      return 'answers' in outcome ? textResult('Answered') : outcome.incomplete;
    },
    streamed,
  ),
  fixtureTool('test_missing_capability', (call) => {
    const capabilities = (metaOf(call)[META.clientCapabilities] ?? {}) as Json;
    if ('sampling' in capabilities) return textResult('Sampling is declared');
    throw new RpcError(RPC.missingClientCapability, 'The client did not declare sampling', {
      httpStatus: 400,
      data: { requiredCapabilities: { sampling: {} } },
    });
  }),
];

export function askingPrompt(call: LocalCall): Json {
  const outcome = answered(call, { user_context: question('What context should the prompt use?', 'context') });
  if ('incomplete' in outcome) return outcome.incomplete;
  return { messages: [{ role: 'user', content: { type: 'text', text: JSON.stringify(outcome.answers['user_context']) } }] };
}

export const interactionTools: LocalTool[] = [...legacyTools, ...modernTools];
