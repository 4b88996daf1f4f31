/** Path of the image on the server. */
export const demoPicturePath = '/demo-picture.svg';

/** A harbour at dusk, for scenarios with an image. */
export const demoPicture = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 480 270" width="480" height="270" role="img" aria-label="A harbour at dusk">
  <defs>
    <linearGradient id="sky" x1="0" y1="0" x2="0" y2="1">
      <stop offset="0" stop-color="#28304e"/>
      <stop offset="0.6" stop-color="#c96f5a"/>
      <stop offset="1" stop-color="#f2c186"/>
    </linearGradient>
    <linearGradient id="sea" x1="0" y1="0" x2="0" y2="1">
      <stop offset="0" stop-color="#b0655a"/>
      <stop offset="1" stop-color="#1f2740"/>
    </linearGradient>
  </defs>
  <path fill="url(#sky)" d="M0 0h480v170H0z"/>
  <circle cx="338" cy="146" r="30" fill="#fbe3b4"/>
  <path fill="#3a3450" d="M0 170l60-44 46 26 62-58 70 54 48-22 60 44z"/>
  <path fill="url(#sea)" d="M0 170h480v100H0z"/>
  <path stroke="#fbe3b4" stroke-width="3" stroke-linecap="round" opacity="0.7" d="M300 184h78M314 198h48M306 214h64M326 230h26"/>
  <path fill="#171c2e" d="M96 204h108l-16 24h-76zM144 96l52 96h-52zM138 112v80h-40z"/>
</svg>
`;
