/** Path data of the icons that the script tag draws before the chat is loaded. */
export const closePath = 'm6.5 6.5 11 11M17.5 6.5l-11 11';
export const chatPath =
  'M12 4.5c4.7 0 8.5 3.1 8.5 7s-3.8 7-8.5 7c-1 0-1.9-.1-2.8-.4-1 .7-2.7 1.4-4.7 1.4.9-.9 1.4-1.9 1.5-3-1.6-1.2-2.5-3-2.5-5 0-3.9 3.8-7 8.5-7z';

export const copyPath =
  'M11 8.5h6a2.5 2.5 0 0 1 2.5 2.5v6a2.5 2.5 0 0 1-2.5 2.5h-6A2.5 2.5 0 0 1 8.5 17v-6A2.5 2.5 0 0 1 11 8.5zM15.5 8.5V7A2.5 2.5 0 0 0 13 4.5H7A2.5 2.5 0 0 0 4.5 7v6A2.5 2.5 0 0 0 7 15.5h1.5';
