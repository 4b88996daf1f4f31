/** The module for attachments, which is loaded if the agent's settings allow attachments. */
export { DropController } from './drop-controller.ts';
export { UnsentFiles } from './unsent-files.ts';
