import type { AgentWords } from '../../../kit/index.js';
import { phraseOf, stem, termsOf } from './search-terms.js';

/** Words for what the tools of any module do, and arguments that those of several have. Modules declare the others. */
const GENERAL: Required<AgentWords> = {
  search: {
    update:
      'close complete finish done end mark move rename assign unassign reassign reopen edit change modify correct set put adjust archive ' +
      'raise lower postpone push push_back reschedule give fix',
    delete: 'cancel call_off remove erase destroy drop throw_away get_rid_of',
    restore:
      'undo undelete recover bring_back put_back revert bin trash threw_away thrown_away i_deleted by_accident accidentally by_mistake',
    remove: 'delete take_off',
    cancel: 'call_off stop abort delete remove',
    create: 'make add new open set_up save write post insert start jot write_down draw_up log new prepare enter',
    add: 'create new write attach put',
    record: 'book enter log mark',
    list: 'find search filter look show see view read browse display all',
    get: 'look show see view read browse display',
    member: 'who whom whose people person user someone somebody anyone colleague teammate assign unassign reassign',
    batch: 'bulk many several multiple at_once in_one_go',
    bulk: 'many several multiple hundred mass',
    import: 'upload load spreadsheet excel csv file sheet',
    upload: 'attach send file screenshot picture photo',
    file: 'pdf attachment',
    context: 'overview everything',
  },
  arguments: {
    key: ['id'],
    name: ['title'],
    title: ['name'],
    status: ['status_id', 'state'],
    state: ['status_id', 'status'],
    query: ['q'],
    search: ['q'],
    page_size: ['limit'],
    per_page: ['limit'],
    page: ['cursor'],
    offset: ['cursor'],
    order_by: ['sort'],
    body: ['text', 'content', 'description'],
    value: ['amount'],
  },
  parties: 'client buyer guest supplier somebody someone everybody everyone anyone people person team colleague who whom',
};

/** What a module declares. Without a module, the words apply to the tools of all modules. */
export type DeclaredWords = AgentWords & { module?: string };

/** The general words of agents, and those that modules declare. */
export class Vocabulary {
  private readonly synonyms: { module: string | undefined; meaning: readonly string[]; words: readonly string[] }[] = [];
  /** Words for people who take part in what a request is about. */
  readonly parties: ReadonlySet<string>;
  private readonly candidates = new Map<string, readonly string[]>();

  constructor(declared: readonly DeclaredWords[] = []) {
    const all: readonly DeclaredWords[] = [GENERAL, ...declared];
    this.parties = new Set(all.flatMap(({ parties = '' }) => parties.split(' ').filter(Boolean).map(stem)));
    for (const { module, search = {}, arguments: names = {} } of all) {
      for (const [meaning, words] of Object.entries(search))
        this.synonyms.push({ module, meaning: termsOf(meaning), words: words.split(' ').map(phraseOf) });
      for (const [name, meant] of Object.entries(names)) this.candidates.set(name, [...new Set([...this.argumentsFor(name), ...meant])]);
    }
  }

  /** By each term of a tool's name, itself and the other words and phrases for it. */
  meaningsOf(name: string, module: string): Set<string>[] {
    const terms = termsOf(name);
    const ofTool = this.synonyms.filter((one) => (one.module ?? module) === module && one.meaning.every((term) => terms.includes(term)));
    return terms.map((term) => new Set([term, ...ofTool.flatMap(({ meaning, words }) => (meaning.includes(term) ? words : []))]));
  }

  /** The arguments that a name may mean, best first. */
  argumentsFor(name: string): readonly string[] {
    return this.candidates.get(name) ?? [];
  }
}

/** The words of `agentWords.search` that no tool of their module has: nobody would ever find a tool by their synonyms. */
export function unknownWords(declared: readonly DeclaredWords[], tools: readonly { module: string | null; operation: string }[]): string[] {
  return declared.flatMap(({ module, search = {} }) => {
    const names = tools.filter((tool) => tool.module === module).map(({ operation }) => termsOf(operation));
    return Object.keys(search)
      .filter((words) => !names.some((terms) => termsOf(words).every((term) => terms.includes(term))))
      .map((words) => `${module}: agentWords.search has synonyms of ${words}, which no tool of the module has in its name`);
  });
}
