/** Something that members set up or do with the API only: the console names it and links to the reference. */
export interface ConsoleSubject {
  /** Words, each with the member operation that it links to, for example `['Pipelines', 'create_org_crm_pipeline']`. */
  names: readonly (readonly [word: string, operation: string])[];
  /** What they are, without a full stop. */
  text: string;
}
