/**
 * How a module's keys differ from those of other modules, which whoever manages API keys may make, and MCP connections may span:
 * for keys that are public, for example in web forms.
 */
export interface ModuleKeys {
  permissions: {
    view: string;
    /** Also to change and to roll them: both can grant additional access. */
    create: string;
    delete: string;
    /** To see the calls with them, in the request log and its analytics. */
    calls: string;
  };
  /** Requests per minute of a key that sets no limit; RATE_LIMIT_PER_KEY by default. */
  ratePerMinute?: number;
  /** The page of the console that lists the keys; each has its page at `{consolePath}/keys/{id}`. The page of all keys by default. */
  consolePath?: string;
}
