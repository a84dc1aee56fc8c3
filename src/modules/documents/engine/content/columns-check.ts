/** Whether the tokens of columns belong together. */
export class ColumnsCheck {
  /** The branch of a section in which the columns begin. */
  private branch: object | null = null;
  line = 0;

  get isOpen(): boolean {
    return this.branch !== null;
  }

  /** `kind` is that of the next token; `branch` is the branch of the section in which it is. */
  problemOf(kind: string | null, branch: object, line: number): string | null {
    if (kind === 'columns') {
      if (this.branch) return 'columns cannot contain columns: write {{/columns}} first';
      this.branch = branch;
      this.line = line;
    } else if (kind === 'next_column' || kind === 'columns_end') {
      if (!this.branch) return 'there is no {{#columns}} before it';
      if (this.branch !== branch) return 'columns must begin and end in the same section';
      if (kind === 'columns_end') this.branch = null;
    } else if (kind === 'page_break' && this.branch) return 'columns cannot contain a page break';
    return null;
  }
}
