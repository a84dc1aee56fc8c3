import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { Settings, type Mode } from '../../../../kit/index.js';
import { ThreadedProvider } from '../providers/built-in/threaded-provider.js';
import { OpenAiProvider } from '../providers/openai/openai-provider.js';
import type { AiProvider } from '../providers/provider.js';

/** Chooses the provider: the configured model for live data; the built-in provider without one, and always for test data. */
@Injectable()
export class AiProviders implements OnApplicationShutdown {
  private readonly builtIn = new ThreadedProvider();
  private readonly live: AiProvider;
  /** The maximum duration of an analysis. */
  readonly timeoutMs: number;

  constructor(settings: Settings) {
    this.live = settings.ai ? new OpenAiProvider(settings.ai) : this.builtIn;
    this.timeoutMs = settings.ai?.timeoutMs ?? 60_000;
  }

  for(mode: Mode): AiProvider {
    return mode === 'test' ? this.builtIn : this.live;
  }

  /** Runs after requests and jobs have finished. */
  onApplicationShutdown(): Promise<void> {
    return this.builtIn.close();
  }
}
