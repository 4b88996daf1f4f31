/** The accessibility tree of Chromium in the main states. */
import { expect, test } from './widget-test.ts';

test('an empty conversation has a disclosure, a greeting, suggestions and a text field', async ({
  statePage,
  page,
}) => {
  await statePage.show('empty-wide');

  await expect(page.locator('inlay-chat')).toMatchAriaSnapshot(`
    - region "Chat with Ada":
      - heading "Ada" [level=2]
      - paragraph: Orders and returns
      - log "Conversation":
        - paragraph: You are talking to an AI assistant.
        - heading "Hello Kim, how can I help?" [level=3]
        - list "Suggestions":
          - listitem:
            - button "Where is my order?"
          - listitem:
            - button "Send something back"
          - listitem:
            - button "Talk to a person"
      - textbox "Message Ada"
      - button "Dictate"
      - button "Send" [disabled]
      - paragraph: Ada can make mistakes.
  `);
});

test('messages are articles named by author and time, and a failed answer is followed by an error and a retry button', async ({
  statePage,
  page,
}) => {
  await statePage.show('answer-failed');

  await expect(page.locator('inlay-message-list')).toMatchAriaSnapshot(`
    - log "Conversation":
      - article "You, 9:41 AM":
        - heading "You said" [level=3]
        - text: Where is my order?
        - toolbar "Actions for this message":
          - button "Copy message"
      - article "Ada, 9:41 AM":
        - heading "Ada said" [level=3]
        - paragraph: I begin
        - toolbar "Actions for this message":
          - button "Copy message"
          - button "Read aloud"
          - time: 9:41 AM
      - paragraph: Answer interrupted
      - button "Try again"
  `);
});

test('an approval request describes the call before its buttons', async ({ statePage, page }) => {
  await statePage.show('approval');

  await expect(page.locator('inlay-tool-call')).toMatchAriaSnapshot(`
    - group "Allow “Refund order” to run?":
      - paragraph: Needs your approval Refund order
      - paragraph: Allow “Refund order” to run?
      - group "Input":
        - term: Order
        - definition: "10482"
        - term: Amount
        - definition: 49.00 EUR
        - term: Reason
        - definition: The lamp arrived broken.
      - button "Deny"
      - button "Allow"
  `);
});

test('a form and its fields have names, and each field has its error as description', async ({
  statePage,
  page,
}) => {
  await statePage.show('card-problems');

  await expect(page.locator('inlay-card')).toMatchAriaSnapshot(`
    - form "Send something back":
      - heading "Send something back" [level=3]
      - radiogroup "Item":
        - radio "The Atlas of Small Islands"
        - radio "Reading lamp, brass"
      - textbox "Reason" [invalid]
      - paragraph: This field is required.
      - textbox "Fetch it on"
      - checkbox "It was a gift"
      - button "Not now"
      - button "Send back"
  `);
  await expect(page.getByRole('textbox', { name: 'Reason' })).toHaveAccessibleDescription(
    'This field is required.',
  );
});

test('the conversation list is a navigation landmark with a search field, and a list for each day', async ({
  statePage,
  page,
}) => {
  await statePage.show('threads');

  await expect(page.locator('inlay-conversation-list')).toMatchAriaSnapshot(`
    - navigation "Conversations":
      - button "New conversation"
      - searchbox "Search conversations"
      - list "Conversations":
        - listitem:
          - button /^Return of order 10310 Waiting for you/
          - button "Actions for Return of order 10310"
      - heading "today" [level=3]
      - list "today":
        - listitem:
          - button /^Opening hours 9:41 AM/
          - button "Actions for Opening hours"
        - listitem:
          - button /^The lamp arrived broken 9:41 AM/
          - button "Actions for The lamp arrived broken"
      - heading "yesterday" [level=3]
      - list "yesterday":
        - listitem:
          - button /^Where is order 10482/
      - heading "Earlier" [level=3]
      - list "Earlier":
        - listitem:
          - button /^A lamp for the hall/
      - button "Archived"
  `);
});
