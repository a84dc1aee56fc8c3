import { expect, test } from '@jest/globals';
import { Secret, type AiModel } from '../../../../kit/index.js';
import { OpenAiProvider } from '../openai/openai-provider.js';
import { AiProviders } from './ai-providers.js';

const MODEL = { apiKey: new Secret('sk'), model: 'llama', timeoutMs: 500 };

test('a model is asked about live data only, and only if one is configured', async () => {
  const [without, configured] = [
    new AiProviders({ ...MODEL, baseUrl: undefined }, { isOpen: false }, { own: () => null }),
    new AiProviders({ ...MODEL, baseUrl: 'http://localhost:11434/v1' }, { isOpen: false }, { own: () => null }),
  ];
  expect([without.for('live'), without.for('test'), configured.for('test')].map((one) => one instanceof OpenAiProvider)).toEqual([
    false,
    false,
    false,
  ]);
  expect([configured.for('live') instanceof OpenAiProvider, configured.timeoutMs, without.timeoutMs]).toEqual([true, 500, 90_000]);
  expect(() => without.requireCallable(without.for('live'))).not.toThrow();
  expect(() => configured.requireCallable(configured.for('live'))).toThrow('holds back');
  await Promise.all([without.onApplicationShutdown(), configured.onApplicationShutdown()]);
});

test('the model of a module is asked in place of the configured one, and what it throws is not told', async () => {
  const asked: string[] = [];
  const answer = { summary: 'A lease.', key_points: [], parties: [], key_dates: [], amounts: [] };
  const own: AiModel = {
    name: 'house',
    model: 'house-7b',
    complete({ messages, schema }) {
      asked.push(`${schema?.name}: ${messages.at(-1)?.content}`);
      if (messages.some(({ content }) => content.includes('Secret clause'))) return Promise.reject(new Error('Secret clause'));
      return Promise.resolve(JSON.stringify(answer));
    },
  };
  const providers = new AiProviders({ ...MODEL, baseUrl: 'http://localhost:11434/v1' }, { isOpen: false }, { own: () => own });
  const live = providers.for('live');
  expect([live.name, live.model, providers.timeoutMs]).toEqual(['house', 'house-7b', 500]);
  expect(() => providers.requireCallable(live)).toThrow('holds back');
  const options = { perspective: 'neutral', customFocus: null, signal: new AbortController().signal };
  expect(await live.analyse('summary', 'The lease of Acme.', options)).toMatchObject({ summary: 'A lease.' });
  expect(asked).toEqual([expect.stringMatching(/^ai_summary: [^]*The lease of Acme\./)]);
  await expect(live.analyse('summary', 'Secret clause', options)).rejects.toThrow('The model house could not be asked.');
  await providers.onApplicationShutdown();
});
