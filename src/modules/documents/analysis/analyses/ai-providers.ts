import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import type { Mode } from '../../../../kit/index.js';
import { AiSettings } from '../provider/ai-settings.js';
import { ThreadedProvider } from '../built-in/threaded-provider.js';
import { OpenAiProvider } from '../openai/openai-provider.js';
import type { AiProvider } from '../provider/provider.js';

const BUILT_IN_TIMEOUT_MS = 60_000;

/** Chooses the provider: the configured model for live data; the built-in provider without one, and always for test data. */
@Injectable()
export class AiProviders implements OnApplicationShutdown {
  private readonly builtIn = new ThreadedProvider();
  private readonly live: AiProvider;
  /** The maximum duration of an analysis. */
  readonly timeoutMs: number;

  constructor({ baseUrl, apiKey, model, timeoutMs }: AiSettings) {
    this.live = baseUrl === undefined ? this.builtIn : new OpenAiProvider({ baseUrl, apiKey: apiKey?.reveal() ?? null, model, timeoutMs });
    this.timeoutMs = baseUrl === undefined ? BUILT_IN_TIMEOUT_MS : timeoutMs;
  }

  for(mode: Mode): AiProvider {
    return mode === 'test' ? this.builtIn : this.live;
  }

  /** Runs after requests and jobs have finished. */
  onApplicationShutdown(): Promise<void> {
    return this.builtIn.close();
  }
}
