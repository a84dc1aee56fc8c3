import { Injectable } from '@nestjs/common';
import { Settings, type Mode } from '../../../../kit/index.js';
import { DeterministicProvider } from '../providers/built-in/deterministic-provider.js';
import { OpenAiProvider } from '../providers/openai/openai-provider.js';
import type { AiProvider } from '../providers/provider.js';

/** Who analyses: the model of the settings for live data, where one is set; the built-in provider otherwise, and always for test data. */
@Injectable()
export class AiProviders {
  private readonly builtIn = new DeterministicProvider();
  private readonly live: AiProvider;
  /** How long an analysis may take at most. */
  readonly timeoutMs: number;

  constructor(settings: Settings) {
    this.live = settings.ai ? new OpenAiProvider(settings.ai) : this.builtIn;
    this.timeoutMs = settings.ai?.timeoutMs ?? 60_000;
  }

  for(mode: Mode): AiProvider {
    return mode === 'test' ? this.builtIn : this.live;
  }
}
