import { Injectable } from '@nestjs/common';
import { CommonErrors, ConfigError, DocumentTokenCatalog, type Ctx, type TokenizedDocument } from '../../../../kit/index.js';
import { moduleTokensIn, TAKEN_PREFIXES } from '../../engine/content/module-tokens.js';
import { linesOf } from '../../engine/pdf/printable-content.js';
import type { Document } from '../../model/records/document.entity.js';
import type { DocumentTypeVersion } from '../../model/types/document-type-version.entity.js';
import type { TypeDefinition } from '../../model/types/type-definition.js';

type TokenValues = Document['token_values'];

/** Reads the tokens of modules that documents print. They are stored with the document, as what is signed must not change. */
@Injectable()
export class TokenValuesService {
  private readonly names = new WeakMap<TypeDefinition, readonly string[]>();

  constructor(private readonly catalog: DocumentTokenCatalog) {
    const taken = [...catalog.definitions.keys()].find((name) => TAKEN_PREFIXES.includes(name.split('.')[0]));
    if (taken !== undefined)
      throw new ConfigError(`The document token ${taken} has a name of the template language: give its module another name.`);
  }

  /** `kept` are those that a document has: they stay if their module has been removed. */
  async of(ctx: Ctx, { definition }: DocumentTypeVersion, document: TokenizedDocument, kept: TokenValues = {}): Promise<TokenValues> {
    const names = this.namesIn(definition);
    if (names.length === 0) return {};
    const read = await this.catalog.read(ctx, document, names);
    const values = Object.fromEntries(names.map((name) => [name, Object.hasOwn(read, name) ? read[name] : kept[name]]));
    const missing = names.find((name) => (values[name] as TokenValues[string] | undefined) === undefined);
    if (missing === undefined) return values;
    throw CommonErrors.validationFailed({
      param: 'type_code',
      message: `type_code ${document.type_code} prints ${missing}, a token that no module has any more; publish a version without it`,
    });
  }

  private namesIn(definition: TypeDefinition): readonly string[] {
    let names = this.names.get(definition);
    if (names === undefined) {
      const texts = [definition.template ?? '', ...linesOf(definition)];
      this.names.set(definition, (names = moduleTokensIn(texts.join('\n\n'), definition.field_schema)));
    }
    return names;
  }
}
