import type { Message } from './model-prompt.js';
import { AiFailure } from '../provider/provider.js';

/** How to reach an OpenAI-compatible server. */
export interface ModelServer {
  /** Without a trailing slash. */
  baseUrl: string;
  apiKey: string | null;
  model: string;
  timeoutMs: number;
}

/** A larger response cannot be a valid result. */
const LARGEST = 2 * 1024 * 1024;

/** The server does not support response schemas. */
export class SchemaNotSupported extends Error {}

/** Sends `POST /chat/completions` and returns the message content. Errors contain neither the key nor any of the text. */
export async function complete(
  server: ModelServer,
  messages: readonly Message[],
  schema: { name: string; schema: object } | null,
  signal: AbortSignal,
): Promise<string> {
  const body = JSON.stringify({
    model: server.model,
    messages,
    temperature: 0,
    stream: false,
    ...(schema && { response_format: { type: 'json_schema', json_schema: { ...schema, strict: true } } }),
  });
  const { status, text } = await post(server, body, signal);
  if (schema && [400, 404, 415, 422, 501].includes(status) && /response_format|json_schema|schema|unsupported|unrecogni[sz]ed/i.test(text))
    throw new SchemaNotSupported();
  if (status !== 200) throw new AiFailure('status', `The model's server returned status ${status}.`);
  return contentOf(text);
}

async function post({ baseUrl, apiKey }: ModelServer, body: string, signal: AbortSignal): Promise<{ status: number; text: string }> {
  try {
    const response = await fetch(`${baseUrl}/chat/completions`, {
      // a redirect could send the text, and perhaps the key, to another server
      method: 'POST',
      redirect: 'error',
      signal,
      body,
      headers: { 'content-type': 'application/json', accept: 'application/json', ...(apiKey && { authorization: `Bearer ${apiKey}` }) },
    });
    return { status: response.status, text: await readBounded(response) };
  } catch (error) {
    if (error instanceof AiFailure) throw error;
    if (signal.aborted)
      throw (signal.reason as Error)?.name === 'TimeoutError'
        ? new AiFailure('timeout', 'The model did not respond in time.')
        : new AiFailure('aborted', 'The analysis was aborted before the model responded.');
    throw new AiFailure('connection', 'The model could not be reached, or the connection broke.');
  }
}

async function readBounded(response: Response): Promise<string> {
  const pieces: Uint8Array[] = [];
  let size = 0;
  for await (const piece of response.body ?? []) {
    size += piece.byteLength;
    // leaving the loop cancels the rest
    if (size > LARGEST) throw new AiFailure('invalid_response', 'The response of the model is too large.');
    pieces.push(piece);
  }
  return Buffer.concat(pieces).toString('utf8');
}

interface Completion {
  choices?: { finish_reason?: unknown; message?: { content?: unknown; refusal?: unknown } }[];
}

function contentOf(text: string): string {
  let completion: Completion | null;
  try {
    completion = JSON.parse(text) as Completion | null;
  } catch {
    throw new AiFailure('invalid_response', "The response of the model's server is not JSON.");
  }
  const choice = completion?.choices?.[0];
  if (choice?.message?.refusal) throw new AiFailure('invalid_response', 'The model declined to respond.');
  if (choice?.finish_reason === 'length') throw new AiFailure('invalid_response', 'The response of the model was truncated.');
  if (typeof choice?.message?.content !== 'string')
    throw new AiFailure('invalid_response', "The response of the model's server has no content.");
  return choice.message.content;
}
