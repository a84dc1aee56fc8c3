import { RpcError } from '../../src/platform/mcp/protocol/json-rpc.js';
import { textResult, type LocalCall, type LocalTool } from '../../src/platform/mcp/local-tools/local-tool.js';
import { RPC, type Json, type Tool } from '../../src/platform/mcp/protocol/protocol.js';

// The tools, prompts and resources with fixed names that the conformance suites expect of a server.

const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==';
const WAV = 'UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAEAfAAABAAgAZGF0YQAAAAA=';

export function fixtureTool(
  name: string,
  call: LocalTool['call'],
  {
    properties = {},
    required = [],
    streams = false,
    inputSchema,
  }: { properties?: Json; required?: string[]; streams?: boolean; inputSchema?: Json } = {},
): LocalTool {
  const definition = {
    name,
    title: name,
    description: `The fixture ${name} of the conformance suite.`,
    inputSchema: inputSchema ?? { type: 'object', properties, ...(required.length === 0 ? {} : { required }), additionalProperties: false },
    annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  } as Tool;
  return { name, readOnly: true, streams, definition: () => definition, call };
}

const resource = (uri: string, text: string, mimeType = 'text/plain'): Json => ({ type: 'resource', resource: { uri, mimeType, text } });
const image = { type: 'image', data: PNG, mimeType: 'image/png' };

export const contentTools: LocalTool[] = [
  fixtureTool('test_simple_text', () => textResult('This is a simple text response for testing.')),
  fixtureTool('test_image_content', () => ({ content: [image] })),
  fixtureTool('test_audio_content', () => ({ content: [{ type: 'audio', data: WAV, mimeType: 'audio/wav' }] })),
  fixtureTool('test_embedded_resource', () => ({
    content: [resource('test://embedded-resource', 'This is an embedded resource content.')],
  })),
  fixtureTool('test_multiple_content_types', () => ({
    content: [
      { type: 'text', text: 'Multiple content types test:' },
      image,
      resource('test://mixed-content-resource', '{"test":"data","value":123}', 'application/json'),
    ],
  })),
  fixtureTool('test_error_handling', () => ({ ...textResult('This tool intentionally returns an error for testing'), isError: true })),
  fixtureTool('test_custom_header', () => textResult('Accepted'), {
    properties: { region: { type: 'string', description: 'Repeated in a header.', 'x-mcp-header': 'Region' } },
    required: ['region'],
  }),
  fixtureTool('json_schema_2020_12_tool', () => textResult('Accepted'), {
    inputSchema: {
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      type: 'object',
      $defs: {
        address: { $anchor: 'addressDef', type: 'object', properties: { street: { type: 'string' }, city: { type: 'string' } } },
      },
      properties: {
        name: { type: 'string' },
        address: { $ref: '#/$defs/address' },
        contactMethod: { type: 'string', enum: ['phone', 'email'] },
        phone: { type: 'string' },
        email: { type: 'string' },
      },
      allOf: [{ anyOf: [{ required: ['phone'] }, { required: ['email'] }] }],
      if: { properties: { contactMethod: { const: 'phone' } }, required: ['contactMethod'] },
      then: { required: ['phone'] },
      else: { required: ['email'] },
      additionalProperties: false,
    },
  }),
];

const resources = [
  { uri: 'test://static-text', name: 'static-text', description: 'Static text.', mimeType: 'text/plain' },
  { uri: 'test://static-binary', name: 'static-binary', description: 'Static image.', mimeType: 'image/png' },
];

function readResource({ params, revision }: LocalCall): Json {
  const uri = String(params['uri']);
  const id = /^test:\/\/template\/([^/]+)\/data$/.exec(uri)?.[1];
  if (uri === 'test://static-text') {
    return { contents: [{ uri, mimeType: 'text/plain', text: 'This is the content of the static text resource.' }] };
  }
  if (uri === 'test://static-binary') return { contents: [{ uri, mimeType: 'image/png', blob: PNG }] };
  if (id !== undefined) {
    const text = JSON.stringify({ id, templateTest: true, data: `Data for ID: ${id}` });
    return { contents: [{ uri, mimeType: 'application/json', text }] };
  }
  throw new RpcError(revision.modern ? RPC.invalidParams : RPC.legacyResourceNotFound, 'Resource not found', { data: { uri } });
}

const argument = (name: string): Json => ({ name, description: `The ${name}.`, required: true });
const prompts = [
  { name: 'test_simple_prompt', description: 'A prompt without arguments.' },
  { name: 'test_prompt_with_arguments', description: 'A prompt with arguments.', arguments: [argument('arg1'), argument('arg2')] },
  { name: 'test_prompt_with_embedded_resource', description: 'A prompt with a resource.', arguments: [argument('resourceUri')] },
  { name: 'test_prompt_with_image', description: 'A prompt with an image.' },
  { name: 'test_input_required_result_prompt', description: 'A prompt that requests input first.' },
];

const message = (content: Json): Json => ({ role: 'user', content });
const text = (value: string): Json => message({ type: 'text', text: value });

export function getPrompt({ params }: LocalCall): Json {
  const args = (params['arguments'] ?? {}) as Record<string, string>;
  switch (params['name']) {
    case 'test_simple_prompt':
      return { messages: [text('This is a simple prompt for testing.')] };
    case 'test_prompt_with_arguments':
      return { messages: [text(`Prompt with arguments: arg1='${args['arg1']}', arg2='${args['arg2']}'`)] };
    case 'test_prompt_with_embedded_resource':
      return {
        messages: [
          message(resource(String(args['resourceUri']), 'Embedded resource content for testing.')),
          text('Please process the embedded resource above.'),
        ],
      };
    case 'test_prompt_with_image':
      return { messages: [message(image), text('Please analyze the image above.')] };
    default:
      throw new RpcError(RPC.invalidParams, 'Unknown prompt');
  }
}

export const contentMethods = {
  'resources/list': () => ({ resources }),
  'resources/templates/list': () => ({
    resourceTemplates: [
      { uriTemplate: 'test://template/{id}/data', name: 'template', description: 'Data by id.', mimeType: 'application/json' },
    ],
  }),
  'resources/read': readResource,
  'resources/subscribe': () => ({}),
  'resources/unsubscribe': () => ({}),
  'prompts/list': () => ({ prompts }),
  'completion/complete': () => ({ completion: { values: [], total: 0, hasMore: false } }),
  'logging/setLevel': () => ({}),
};
