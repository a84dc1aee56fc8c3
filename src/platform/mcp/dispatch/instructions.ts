/** Server `instructions`: what an agent should know before the first call; only what this caller has is named. */
export function instructionsFor({ searchMode, hasGuides }: { searchMode: boolean; hasGuides: boolean }): string {
  return [
    ...(searchMode
      ? ['Tools are not listed here: find them with search_tools, read their input with describe_tool, call them with call_tool.']
      : []),
    'Look things up first: call the list and get tools, and use only identifiers they return.',
    ...(hasGuides ? ['Read get_guide for the usual order of calls in a module.'] : []),
    'Pass an idempotency_key on every write whose input has that argument, and the same one when you repeat it.',
    'When a call fails, read error.code, error.param and error.allowed in its result, correct the arguments and call again.',
  ].join(' ');
}
