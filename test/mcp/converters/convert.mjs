// Runs in .data/converters, beside the frameworks: see ../converters.mjs. Every request is intercepted; none leaves the machine.
import { readFileSync } from 'node:fs';
import { createAnthropic } from '@ai-sdk/anthropic';
import { createGoogleGenerativeAI } from '@ai-sdk/google';
import { createOpenAI } from '@ai-sdk/openai';
import { mcpToTool } from '@google/genai';
import { ChatAnthropic } from '@langchain/anthropic';
import { ChatGoogleGenerativeAI } from '@langchain/google-genai';
import { loadMcpTools } from '@langchain/mcp-adapters';
import { ChatOpenAI } from '@langchain/openai';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js';
import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { ListToolsRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { mcpToFunctionTool } from '@openai/agents';
import { generateText, jsonSchema, tool } from 'ai';

const modules = JSON.parse(readFileSync('tools.json', 'utf8'));
const failures = [];
const looseTools = [];

let sent;
const intercept = async (_url, { body }) => {
  sent = JSON.parse(body);
  return Response.json({ error: { message: 'intercepted' } }, { status: 400 });
};
globalThis.fetch = intercept;

/** The body that a framework sends to a provider. */
async function bodyOf(call) {
  sent = undefined;
  try {
    await call();
  } catch (error) {
    if (sent === undefined) throw error;
  }
  return sent;
}

async function clientOf(tools) {
  const server = new Server({ name: 'suite', version: '1' }, { capabilities: { tools: {} } });
  server.setRequestHandler(ListToolsRequestSchema, async () => ({ tools }));
  const [ofServer, ofClient] = InMemoryTransport.createLinkedPair();
  await server.connect(ofServer);
  const client = new Client({ name: 'converters', version: '1' });
  await client.connect(ofClient);
  return client;
}

const TYPES = new Set(['string', 'number', 'integer', 'boolean', 'array', 'object', 'null']);
const FORMATS = new Set(['date-time', 'enum', 'int32', 'int64', 'float', 'double']);

/** What Gemini refuses in `parameters`. A property without a type is accepted: LangChain leaves out alternatives that are no objects. */
function refusedByGemini(schema, path) {
  const { type, format, enum: values, properties = {}, items, anyOf = [] } = schema;
  const wrong = [
    ...(type === undefined || TYPES.has(String(type).toLowerCase()) ? [] : [`type ${JSON.stringify(type)}`]),
    ...(format === undefined || FORMATS.has(format) ? [] : [`format ${format}`]),
    ...((values ?? []).some((value) => typeof value !== 'string' || value === '') ? ['enum'] : []),
    ...['$ref', 'oneOf', 'allOf', 'not', 'const', 'additionalProperties'].filter((keyword) => keyword in schema),
  ];
  return [
    ...wrong.map((what) => `${path}: ${what}`),
    ...Object.entries(properties).flatMap(([name, inner]) => refusedByGemini(inner, `${path}.${name}`)),
    ...[items, ...anyOf].flatMap((inner) => (inner ? refusedByGemini(inner, path) : [])),
  ];
}

for (const [module, tools] of Object.entries(modules)) {
  const client = await clientOf(tools);
  const prompt = 'x';
  const ofAiSdk = Object.fromEntries(
    tools.map(({ name, description, inputSchema }) => [name, tool({ description, inputSchema: jsonSchema(inputSchema) })]),
  );
  const ofLangChain = await loadMcpTools('suite', client);
  const settings = { apiKey: 'x', maxRetries: 0 };
  const fake = { apiKey: 'x', fetch: intercept };
  const text = (model) => generateText({ model, prompt, tools: ofAiSdk, maxRetries: 0 });
  const chat = (model) => model.bindTools(ofLangChain).invoke(prompt);
  const gemini = ({ tools: [{ functionDeclarations }] = [{}] }) => functionDeclarations;
  const conversions = {
    'AI SDK, OpenAI': async () => (await bodyOf(() => text(createOpenAI(fake)('gpt-5')))).tools,
    'AI SDK, Anthropic': async () => (await bodyOf(() => text(createAnthropic(fake)('claude-sonnet-4-5')))).tools,
    'AI SDK, Gemini': async () => gemini(await bodyOf(() => text(createGoogleGenerativeAI(fake)('gemini-2.5-pro')))),
    'Google GenAI': async () => (await mcpToTool(client).tool()).functionDeclarations,
    'LangChain, OpenAI': async () =>
      (await bodyOf(() => chat(new ChatOpenAI({ ...settings, model: 'gpt-4.1', configuration: { fetch: intercept } })))).tools,
    'LangChain, Anthropic': async () =>
      (await bodyOf(() => chat(new ChatAnthropic({ ...settings, model: 'claude-sonnet-4-5', clientOptions: { fetch: intercept } })))).tools,
    'LangChain, Gemini': async () => gemini(await bodyOf(() => chat(new ChatGoogleGenerativeAI({ ...settings, model: 'gemini-2.5-pro' })))),
  };
  for (const [converter, convert] of Object.entries(conversions)) {
    try {
      const converted = await convert();
      if (converted?.length !== tools.length) failures.push(`${converter}, ${module}: ${converted?.length} of ${tools.length} tools`);
      if (converter.endsWith('Gemini'))
        for (const { name, parameters } of converted ?? [])
          failures.push(...refusedByGemini(parameters, name).map((what) => `${converter}: ${what}`));
    } catch (error) {
      failures.push(`${converter}, ${module}: ${error.message}`);
    }
  }
  for (const one of tools) if (!mcpToFunctionTool(one, { name: 'suite', callTool() {} }, true).strict) looseTools.push(one);
  await client.close();
}

/** A map has any members, which OpenAI's strict mode forbids: the SDK sends such a tool without strict mode. */
const isOpen = (schema) =>
  (schema.type === 'object' && schema.properties === undefined) ||
  [...Object.values(schema.properties ?? {}), ...(schema.anyOf ?? []), ...(schema.items ? [schema.items] : [])].some(isOpen);
for (const { name, inputSchema } of looseTools)
  if (!isOpen(inputSchema)) failures.push(`OpenAI Agents: ${name} has no map and still cannot be strict`);

// with ?strict=true, no tool has a map
for (const one of JSON.parse(readFileSync('strict.json', 'utf8')))
  if (!mcpToFunctionTool(one, { name: 'suite', callTool() {} }, true).strict)
    failures.push(`OpenAI Agents: ${one.name} is not strict on request`);

console.log(`${Object.values(modules).flat().length} tools; without strict mode: ${looseTools.map(({ name }) => name).join(', ')}`);
for (const failure of failures) console.log(failure);
console.log(failures.length === 0 ? 'all passed' : `${failures.length} failed`);
process.exit(failures.length === 0 ? 0 : 1);
