/** The words that agents use and those that the module's tools use. General words, such as `remove` for `delete`, are built in. */
export interface AgentWords {
  /**
   * By a word of the tools' names or descriptions: words, separated by spaces, for which `search_tools` finds them too, for example
   * `{ label: 'tag' }`. They apply to the tools of every module.
   */
  search?: Readonly<Record<string, string>>;
  /**
   * By an argument that agents send though no tool has it: the arguments that they may mean, best first, for example
   * `{ deadline: ['due_on'] }`. The error about the unknown argument suggests the first that the tool has.
   */
  arguments?: Readonly<Record<string, readonly string[]>>;
}
