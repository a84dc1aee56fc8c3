import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { Outbound, type Mode } from '../../../../kit/index.js';
import { AiSettings } from '../provider/ai-settings.js';
import { ThreadedProvider } from '../built-in/threaded-provider.js';
import { OpenAiProvider } from '../openai/openai-provider.js';
import { AiFailure, type AiProvider } from '../provider/provider.js';

const BUILT_IN_TIMEOUT_MS = 60_000;

/** Chooses the provider: the configured model for live data; the built-in provider without one, and always for test data. */
@Injectable()
export class AiProviders implements OnApplicationShutdown {
  private readonly builtIn = new ThreadedProvider();
  private readonly live: AiProvider;
  /** The maximum duration of an analysis. */
  readonly timeoutMs: number;

  constructor(
    { baseUrl, apiKey, model, timeoutMs }: AiSettings,
    private readonly outbound: Outbound,
  ) {
    this.live = baseUrl === undefined ? this.builtIn : new OpenAiProvider({ baseUrl, apiKey: apiKey?.reveal() ?? null, model, timeoutMs });
    this.timeoutMs = baseUrl === undefined ? BUILT_IN_TIMEOUT_MS : timeoutMs;
  }

  for(mode: Mode): AiProvider {
    return mode === 'test' ? this.builtIn : this.live;
  }

  /** @throws AiFailure if the provider is a server of others, and the operator holds back what calls them */
  requireCallable(provider: AiProvider): void {
    if (provider !== this.builtIn && !this.outbound.isOpen)
      throw new AiFailure('held_back', 'The operator of this installation holds back calls to the model.');
  }

  /** Runs after requests and jobs have finished. */
  onApplicationShutdown(): Promise<void> {
    return this.builtIn.close();
  }
}
