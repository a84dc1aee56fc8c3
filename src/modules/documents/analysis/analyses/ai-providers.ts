import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { AiModels, Outbound, type Mode } from '../../../../kit/index.js';
import { AiSettings } from '../provider/ai-settings.js';
import { ThreadedProvider, TIMEOUT_MS } from '../built-in/threaded-provider.js';
import { OpenAiProvider } from '../openai/openai-provider.js';
import { AiFailure, type AiProvider } from '../provider/provider.js';

/**
 * Chooses the provider: for live data the model of a module, or else the configured one; the built-in provider without them, and always
 * for test data.
 */
@Injectable()
export class AiProviders implements OnApplicationShutdown {
  private readonly builtIn = new ThreadedProvider();
  private model: AiProvider | undefined;

  constructor(
    private readonly settings: AiSettings,
    private readonly outbound: Outbound,
    private readonly models: AiModels,
  ) {}

  for(mode: Mode): AiProvider {
    return mode === 'test' ? this.builtIn : this.live;
  }

  /** The maximum duration of an analysis. */
  get timeoutMs(): number {
    return this.live === this.builtIn ? TIMEOUT_MS : this.settings.timeoutMs;
  }

  private get live(): AiProvider {
    return (this.model ??= this.chosen());
  }

  private chosen(): AiProvider {
    const { baseUrl = '', apiKey, model, timeoutMs } = this.settings;
    const own = this.models.own();
    if (own === null && baseUrl === '') return this.builtIn;
    return new OpenAiProvider({ baseUrl, apiKey: apiKey?.reveal() ?? null, model, timeoutMs }, own);
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
