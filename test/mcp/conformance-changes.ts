import { textResult, type LocalTool } from '../../src/platform/mcp/local-tools/local-tool.js';
import { fixtureTool } from './conformance-content.js';

// A tool whose calls change the list of tools, as the conformance suite expects.

let changes = 0;

export const toolsVersion = (): string => ` ${changes}`;

const trigger = fixtureTool('test_trigger_tool_change', () => {
  changes += 1;
  return textResult('Changed');
});
const toggled = fixtureTool('test_toggled', () => textResult('Toggled'));

export const changingTools: LocalTool[] = [
  trigger,
  { ...toggled, definition: (view) => (changes % 2 === 1 ? toggled.definition(view) : undefined) },
];
