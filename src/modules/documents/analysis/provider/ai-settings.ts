import { moduleSettings, optionalSetting, setting, settingTypes } from '../../../../kit/index.js';

/** The OpenAI-compatible model that the operator configured. */
export class AiSettings extends moduleSettings({
  /** Without a trailing slash; API paths such as `/chat/completions` are appended. Undefined for the built-in provider. */
  baseUrl: optionalSetting({
    variable: 'AI_BASE_URL',
    path: 'ai.baseUrl',
    type: settingTypes.publicUrl,
    description:
      'An OpenAI-compatible API that analyzes documents, such as https://api.openai.com/v1; if unset, a built-in provider is used, ' +
      'which sends no data anywhere.',
  }),
  apiKey: optionalSetting({
    variable: 'AI_API_KEY',
    type: settingTypes.givenSecret('a key of that API'),
    secret: true,
    description: 'The key that is sent to AI_BASE_URL; if unset, none is sent.',
  }),
  model: setting({
    variable: 'AI_MODEL',
    path: 'ai.model',
    type: settingTypes.text('the name of a model'),
    default: 'gpt-4o-mini',
    description: 'The model at AI_BASE_URL.',
  }),
  timeoutMs: setting({
    variable: 'AI_TIMEOUT_MS',
    path: 'ai.timeoutMs',
    type: settingTypes.wholeNumber(100, 600_000),
    default: 60_000,
    description: 'Timeout of a response of the model, in milliseconds.',
  }),
}) {}
