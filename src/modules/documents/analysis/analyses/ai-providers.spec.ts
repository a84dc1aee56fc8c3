import { expect, test } from '@jest/globals';
import { Secret } from '../../../../kit/index.js';
import { OpenAiProvider } from '../openai/openai-provider.js';
import { AiProviders } from './ai-providers.js';

const MODEL = { apiKey: new Secret('sk'), model: 'llama', timeoutMs: 500 };

test('a model is asked about live data only, and only if one is configured', async () => {
  const [without, configured] = [
    new AiProviders({ ...MODEL, baseUrl: undefined }, { isOpen: false }),
    new AiProviders({ ...MODEL, baseUrl: 'http://localhost:11434/v1' }, { isOpen: false }),
  ];
  expect([without.for('live'), without.for('test'), configured.for('test')].map((one) => one instanceof OpenAiProvider)).toEqual([
    false,
    false,
    false,
  ]);
  expect([configured.for('live') instanceof OpenAiProvider, configured.timeoutMs, without.timeoutMs]).toEqual([true, 500, 60_000]);
  expect(() => without.requireCallable(without.for('live'))).not.toThrow();
  expect(() => configured.requireCallable(configured.for('live'))).toThrow('holds back');
  await Promise.all([without.onApplicationShutdown(), configured.onApplicationShutdown()]);
});
