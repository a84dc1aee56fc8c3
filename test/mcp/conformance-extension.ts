import type { McpExtension } from '../../src/platform/mcp/local-tools/local-tool.js';
import { contentMethods, contentTools, getPrompt } from './conformance-content.js';
import { askingPrompt, interactionTools, onResponse } from './conformance-interaction.js';
import { changingTools, toolsVersion } from './conformance-changes.js';

/** The fixtures that the conformance suites expect. Registered in tests only. */
export const conformanceExtension: McpExtension = {
  capabilities: { prompts: {}, completions: {}, logging: {} },
  tools: [...contentTools, ...interactionTools, ...changingTools],
  methods: {
    ...contentMethods,
    'prompts/get': (call) => (call.params['name'] === 'test_input_required_result_prompt' ? askingPrompt(call) : getPrompt(call)),
  },
  version: toolsVersion,
  onResponse,
};
