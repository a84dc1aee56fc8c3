// What other modules, the demo and tests may use of this one.
export { DocumentFiles } from './files/document-files.service.js';
export { DocumentsService } from './authoring/documents.service.js';
export { FormsService } from './generation/forms/forms.service.js';
export { TriggersService } from './generation/triggers/triggers.service.js';
export { ObligationsService } from './obligations/obligations.service.js';
export { CreateDocumentTypeDto, DocumentTypesQuery } from './types/document-types.dto.js';
export { DocumentTypesService } from './types/document-types.service.js';
export { Submission } from './workflow/submission.service.js';
export { WorkflowActions } from './workflow/workflow-actions.service.js';
