import type { AiModel } from '../../../../kit/index.js';
import { complete, SchemaNotSupported, type ModelServer } from './chat-completions.js';
import { RESPONSE_SCHEMAS, parseResponse, risksFrom, summaryFrom } from './model-responses.js';
import { promptFor, type Message, type Piece } from './model-prompt.js';
import {
  AiFailure,
  type AiProvider,
  type AnalysisKind,
  type AnalysisOptions,
  type RisksResult,
  type SummaryResult,
} from '../provider/provider.js';

/** About 25,000 tokens, which leaves current models enough room for the response. */
const PIECE = 100_000;
/** Pieces overlap, so that a clause at the boundary is complete in one of them. */
const OVERLAP = 2_000;

/** Uses any server with OpenAI's chat completions API, hosted or self-hosted, or the model of another module. */
export class OpenAiProvider implements AiProvider {
  readonly name: string;
  readonly model: string;
  /** False once the server has rejected a response schema; the prompt contains the schema too. */
  private schemas = true;

  constructor(
    private readonly server: ModelServer,
    private readonly own: AiModel | null = null,
  ) {
    this.name = own?.name ?? 'openai_compatible';
    this.model = own?.model ?? server.model;
  }

  analyse(kind: 'summary', text: string, options: AnalysisOptions): Promise<SummaryResult>;
  analyse(kind: 'risks', text: string, options: AnalysisOptions): Promise<RisksResult>;
  analyse(kind: AnalysisKind, text: string, options: AnalysisOptions): Promise<SummaryResult | RisksResult>;
  async analyse(
    kind: AnalysisKind,
    text: string,
    { perspective, customFocus, signal }: AnalysisOptions,
  ): Promise<SummaryResult | RisksResult> {
    const pieces = piecesOf(text);
    // if one piece fails, the results of the others are useless
    const failed = new AbortController();
    const within = AbortSignal.any([signal, failed.signal, AbortSignal.timeout(this.server.timeoutMs)]);
    const responses = await Promise.all(
      pieces.map((piece) => this.analysePiece(kind, promptFor(kind, piece, perspective, customFocus), within)),
    ).catch((error: unknown) => {
      failed.abort();
      throw error;
    });
    const warnings =
      pieces.length > 1
        ? [
            `The text is long and was read in ${pieces.length} parts: ` +
              'issues that concern it as a whole, such as missing clauses, may not be found.',
          ]
        : [];
    return kind === 'summary' ? summaryFrom(responses, warnings) : risksFrom(responses, text, warnings);
  }

  /** Analyses one piece. If the response is invalid, requests a corrected one once. */
  private async analysePiece(kind: AnalysisKind, messages: Message[], signal: AbortSignal): Promise<unknown> {
    const first = await this.complete(kind, messages, signal);
    const read = parseResponse(kind, first);
    if ('response' in read) return read.response;
    const repaired = parseResponse(
      kind,
      await this.complete(
        kind,
        [
          ...messages,
          { role: 'assistant', content: first.slice(0, PIECE) },
          { role: 'user', content: `${read.wrong} Respond again with the complete JSON and nothing else.` },
        ],
        signal,
      ),
    );
    if ('response' in repaired) return repaired.response;
    throw new AiFailure('invalid_response', 'The model returned invalid JSON twice.');
  }

  private async complete(kind: AnalysisKind, messages: Message[], signal: AbortSignal): Promise<string> {
    if (this.own) return this.completeBy(this.own, kind, messages, signal);
    if (this.schemas) {
      try {
        return await complete(this.server, messages, { name: `ai_${kind}`, schema: RESPONSE_SCHEMAS[kind] }, signal);
      } catch (error) {
        if (!(error instanceof SchemaNotSupported)) throw error;
        this.schemas = false;
      }
    }
    return complete(this.server, messages, null, signal);
  }

  /** What it throws may quote the text, so it is not told. */
  private async completeBy(own: AiModel, kind: AnalysisKind, messages: Message[], signal: AbortSignal): Promise<string> {
    try {
      return await own.complete({ messages, schema: { name: `ai_${kind}`, schema: RESPONSE_SCHEMAS[kind] }, signal });
    } catch {
      throw signal.aborted
        ? new AiFailure('timeout', 'The model did not respond in time.')
        : new AiFailure('connection', `The model ${own.name} could not be asked.`);
    }
  }
}

/** Cuts between paragraphs if a piece has one in its second half. */
function piecesOf(text: string): Piece[] {
  const pieces: string[] = [];
  for (let start = 0; ;) {
    if (text.length - start <= PIECE) {
      pieces.push(text.slice(start));
      break;
    }
    const paragraph = text.lastIndexOf('\n\n', start + PIECE);
    const end = paragraph > start + PIECE / 2 ? paragraph : start + PIECE;
    pieces.push(text.slice(start, end));
    start = end - OVERLAP;
  }
  return pieces.map((piece, index) => ({ text: piece, index, of: pieces.length }));
}
