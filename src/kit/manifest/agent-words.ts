/** The words that agents use and those that the module's tools use. General words, such as `remove` for `delete`, are built in. */
export interface AgentWords {
  /**
   * By one or more words of the names of the module's tools, joined by `_`: words, separated by spaces, for which `search_tools` finds
   * the tools that have all of them in their names, for example `{ label: 'tag', credit_note: 'refund money_back' }`. Words that mean
   * something only together are joined by `_`, too. Any form and spelling of a word will do.
   */
  search?: Readonly<Record<string, string>>;
  /**
   * By an argument that agents send though no tool has it: the arguments that they may mean, best first, for example
   * `{ deadline: ['due_on'] }`. The error about the unknown argument suggests the first that the tool has.
   */
  arguments?: Readonly<Record<string, readonly string[]>>;
  /** Words, separated by spaces, for people who take part, which weigh less in a search: "bill the customer" is about a bill. */
  parties?: string;
}
