/** A part of the conversation with a model. */
export interface AiMessage {
  role: 'system' | 'user' | 'assistant';
  content: string;
}

/** What a model is asked. */
export interface AiRequest {
  messages: readonly AiMessage[];
  /** The JSON Schema of the answer, which the messages contain as well; null if the model answers without one. */
  schema: { name: string; schema: object } | null;
  /** Aborted when nobody waits for the answer any more. */
  signal: AbortSignal;
}

/**
 * Answers in place of the model at AI_BASE_URL, for example by an API that is not like OpenAI's. A module names its provider as `aiModel`
 * in its manifest. It is called for live data only, and not while outbound work is held back.
 *
 * @example
 * ```ts
 * import { Injectable } from '@nestjs/common';
 * import { AiModel, type AiRequest } from 'work-suite/kit';
 *
 * @Injectable()
 * export class HouseModel extends AiModel {
 *   readonly name = 'house';
 *   readonly model = 'house-7b';
 *
 *   async complete({ messages, signal }: AiRequest): Promise<string> {
 *     const response = await fetch('https://models.example.com/ask', { method: 'POST', body: JSON.stringify(messages), signal });
 *     if (!response.ok) throw new Error(`The model answered ${response.status}`);
 *     return response.text();
 *   }
 * }
 * ```
 */
export abstract class AiModel {
  /** Who answers, as results show it: lower case, digits and `_`. */
  abstract readonly name: string;
  /** The model, as results show it. */
  abstract readonly model: string;
  /** The text of the answer. If it rejects, the analysis fails; what it threw is neither logged nor shown, as it may quote the text. */
  abstract complete(request: AiRequest): Promise<string>;
}

/**
 * The model that a module of the suite provides.
 *
 * @example
 * ```ts
 * import { Injectable } from '@nestjs/common';
 * import { AiModels } from 'work-suite/kit';
 *
 * @Injectable()
 * export class Assistant {
 *   constructor(private readonly models: AiModels) {}
 *
 *   get isAvailable(): boolean {
 *     return this.models.own() !== null;
 *   }
 * }
 * ```
 */
export abstract class AiModels {
  /** Null if none does. Modules are created one after the other: ask when it is needed. */
  abstract own(): AiModel | null;
}
