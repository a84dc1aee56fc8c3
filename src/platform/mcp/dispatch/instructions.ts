/** The server's `instructions`: what an agent should know before its first call. Names only what this caller can use. */
export function instructionsFor({
  searchMode,
  hasGuides,
  requiresPlan,
}: {
  searchMode: boolean;
  hasGuides: boolean;
  requiresPlan: boolean;
}): string {
  return [
    ...(searchMode
      ? ['Not all tools are listed: find tools with search_tools, read their input with describe_tool, call them with call_tool.']
      : []),
    'Look up records first with the list and get tools, and use only identifiers that they return. A project_id can be the key.',
    'Members without a value are left out. Lists have a summary of each item; name others, and those in omitted and shortened, in fields.',
    ...(hasGuides ? ['Read get_guide for the usual order of calls in a module.'] : []),
    'Pass an idempotency_key on every write whose input has that argument, and the same one on a retry.',
    'A null for an optional argument counts as left out; to empty a member, name it in clear.',
    ...(requiresPlan
      ? ['Tools that delete or reach people need a plan_token: call them with dry_run, show the plan, then repeat the call with its token.']
      : []),
    'When a call fails, read error.code, error.param and error.allowed in its result, correct the arguments and call again.',
  ].join(' ');
}
