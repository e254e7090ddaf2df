// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Written by tools/spftr/make_trees.py. The form of the text: spftr_trees.hpp.
#include <array>

#include "plugin/engines/spftr_trees.hpp"

namespace selvedge::spftr {
namespace {

// clang-format off
constexpr std::array kSpftr = {
    StoredTrees{0, 3, 0, 3,
     "/7y8fP86SorGv8z1VVav86wPAxP81ygAgf84MlKa/86WJKSv86mpKSv86mpKSv86mpKSv8"},
    StoredTrees{0, 3, 0, 4,
     "6jAsDfPvwNVVVarP/+/L8vz/1cqEAQDf6kqioGrv6sK0oxTv68I8CoHv6o9P0fzv6o9P0fzv6o9H0fzv"},
    StoredTrees{0, 3, 1, 2,
     "esrc1P89ycr8/8MFVV2v8uoCwsf89QpKY/8/8wMDP8+zMr8/89zcr8/89zcr8/89zcr8/8"},
    StoredTrees{0, 3, 1, 3,
     "+8nCs0z/OiIsL1v/8NddVWr/+nwrwZr/urKsAjH/+vAjCMX/ebC0A1j/9UKir/P//c9yr/P/9M9yr/P/"},
    StoredTrees{0, 3, 1, 4,
     "eVyqwDDy3w8DH0lU2pzw+qJAKkZM7wuqvy/ylp7w/UCVKp2q/wOqyzMo1U7w+v8s8s8s7wuqT0f0387w9UCoKU0r3w"
     "+1CVKq1q3w"},
    StoredTrees{0, 3, 2, 1,
     "riws/P8/7KAQ/8DFV19v8fsvLqf8f/IQGP83TIiKv83zAqKv83zAqKv83zAqKv83zAqKv8"},
    StoredTrees{0, 3, 2, 2,
     "//zCMIz/bhcfxhr/DFiVC9D/vqIIgvH//M1yXdv/fnyvIGb/3cyAoKr/3cyCqKr/3cyCqKr/3cyCqKr/"},
    StoredTrees{0, 3, 2, 3,
     "/vUM/MWM/wTVYqUi9z/w/DB0JU9p/wXq8ogIYa/wboUh8xNq/w/3CXCr/z/wbqfM/KjB/wPqAqCg9E/wvqj0Sr/z/w"
     "fTz3Sr/z/w"},
    StoredTrees{0, 3, 2, 4,
     "/18lSKoTAf8PACPTxX9q88/qgIILymle8fl/KtKA/8N8jqpXSX0t/O8ftUBVKp9qt8bqlzT80jPO8/TwKwhM8jM8nq"
     "vHQ/0J/O8/qcKrIqyau8"},
    StoredTrees{0, 3, 3, 0,
     "E3x8jf8qwsLE/8v/Lyaf8/6wkNv8R1Xdqf8f/yA0P89ywqKv89ywqKv89ywqKv89ywqKv8"},
    StoredTrees{0, 3, 3, 1,
     "q4rCs/z//+MpIVv/AxVXV/b/V/8gAAD/f7y/Lqn/208iyKr/288CqKr/288CqKr/288CqKr/288CqKr/"},
    StoredTrees{0, 3, 3, 2,
     "b6fC/yPy/w//DXSWdZ/wW41xvxQa/wBxLK/y/Y/wn6vAgMiF/w/zIsIrXz/wg1SK1YPc/wb5/CPwJi/w33830r/z/w"
     "33830r/z/w"},
    StoredTrees{0, 3, 3, 3,
     "W6tci/AUXP8/91JRyr/c/8VwPzUrVbav8/6gygIDlsf8g6oiz8KPZf8P0SCqSo/QP8/6jyMAzSM/8Y6nwD/ATwf8/7"
     "yEwlMbbP8/9hCrSo/8/8"},
    StoredTrees{0, 3, 3, 4,
     "AAD8qgCo//AAbKp9DP8AgxUgDDRglUKp/aoQ/A/BrIlcwawA/NcCVCKoVgEwXFf8qywAWPAQtKr8AyTwLWogAAD89v"
     "wH/asAAAHYqhAA/QAAGICXKv8q/XwA"},
    StoredTrees{0, 3, 4, 0,
     "oOlC0D0/l8/Cqah///AryvD/qsKchfG/A9fFMqE/f//AS1b//cPCAIz//cDCqKn//cDCqKn/p88yTHN/"},
    StoredTrees{0, 3, 4, 1,
     "v+gCwKqh/wVd/yWg/0fwn+/B/xAG/wgOKgnS/2PwquPwKs/8vwP+VU1X/3/w//KgKjVD/w/8KLKqKm/w/+KsKqKm/w"
     "//KkKqKa/w"},
    StoredTrees{0, 3, 4, 2,
     "b+lXD/yhAf8ANVora8/3D8//z8sDDSm/8/8Co0plK2v8Vev8gkKLyX8/+gCBK8X/P8W+lcD/wgYX8lupcC/w/8r8V+"
     "/1AHaL1n8/+mwdcr/0v8"},
    StoredTrees{0, 3, 4, 3,
     "WeBXDf/J/2o//9//KiqkJYz/kOqaANUwP1g/b+pVxP/MgMV/V+X/KgACGjJ//+sqVyqrGEv//8UDdQpVL2r///UMFU"
     "iqbAP/C+okiJ/A/3J/lupXBX/F/2q/"},
    StoredTrees{0, 3, 4, 4,
     "VNV/yqL8CL3wXw/+0CBXCKrFYC3wluqlcMv8sgFVrw/8VIz1KBV/2q3w/+rWmg1Xwf3z7w/+vPwsQ8MSss7wA/VLCV"
     "CKq/2rPwYeqVwS/8if/ybw2+AFIdf8t/2qTw/+qDD8CiqKyi7w"},
    StoredTrees{0, 4, 0, 4,
     "6lQlAUBvO0wEpQV1Vqsw/+/L8vx/P46kqkoaRjO06gEsTxNo+81YqywahENw68EASKKIew68UBQKJauw6rKM0TTDO4"
     "6YqgwCgFOw"},
    StoredTrees{0, 4, 1, 2,
     "cMUFFRr8uoCwspX/+zAsLGz++lJS2lD9+8PDw3P8OkpISNb89QoAA4H8/yzFSnz89CXFivz89CXFivz8"},
    StoredTrees{0, 4, 1, 3,
     "AAKgw2jfAAy8zCsWxWwIAAdRV1XagEiqCvMsqwQMSrA4yzMWgABXKgIAzBQAAAKMD2PcwAA1KkD2vYAAABPU9yr/AA"
     "zclCUKhjAI"},
    StoredTrees{0, 4, 1, 4,
     "93CoKgnwlw3gMBX1VVVV2qzQ+rMo8M8McM7w/VBVJVKqcD/g+ryDAoGoEQ7Auqjyfy/ygx7g/UCqEBIC3z3g+3CXAX"
     "KqMp3AelyqwTyrwn7A+fJchUiqZq3A"},
    StoredTrees{0, 4, 2, 1,
     "/BYXNxb9PUlJSfb+XvCQvEz8/oDy81v8jjws9Db/riAxIqH8/fIADEz8/yuyktz8/Cuyclz8/Cuyspz8"},
    StoredTrees{0, 4, 2, 2,
     "jrygQhT3P0/UCgnCtYf4bpcVx/KMf83mwvI9o1PwPlIXFcn2vwPojJMmj0/wbnygCAphvw/AF8X9XWv0/sADwJx1/8"
     "/8LCMcpjPw"},
    StoredTrees{0, 4, 2, 3,
     "/rUMUM/M3M/A/AR1VV9VBq/QDVIq8L0r9E/AvqgoigholB/gXq8jAwAwYa/AblfKfC/Chx/w/fCVIVIq/8/A/3wUQU"
     "yrWH/A/1wqwASCVx/Af3SVcV8q/8/A"},
    StoredTrees{0, 4, 2, 4,
     "DVPKoAoCKPSfcbqlzJQy/MoXHv/N4VSFUipEajdLgSfUVVFVfarN/rwgwkMLDNyntbqfKrxD8g2PLsft0KdKnyqlmr"
     "e/10VRFUSqPQz9vqo/CDwi8JVzv3q/CP8o9qBWDv"},
    StoredTrees{0, 4, 3, 0,
     "D/Ly8qX+o1VVfY39qysKCcr+t/yMjGj8nzwjIxP//4gAMjb8f/w8FdX89ywqKin+9ywqKin+9ywqKin+"},
    StoredTrees{0, 4, 3, 1,
     "/8CQBnHdvwq4rCsKz/P8AyUpUVX9v0/8ozzPdF/wV38gCAJQPwr7xPEvSpf0/5xFIUv9/4/wq4y9IdPw/wq4yRJ2Pw"
     "/wqyyKJjPw"},
    StoredTrees{0, 4, 3, 2,
     "b6cwfw/ygx/w/6AHAnC2/b/gQ7SIVCVy/W/AVw/J/B/ZGa/A/1MKIIMr0x/A//AcCcLaEQ/Qf6/KAAAAZM/AP6IqUA"
     "0M/a/Am6lAlAvy/z/A/6KozITMdj/A"},
    StoredTrees{0, 4, 3, 3,
     "n6rzyTU/XBmD//wCDcinIF92r+X1fyr8yVov3H8j6kkFVxVcf2r9b6mwx/F/yoMH/V6vyoCIAyG2z//74AyIMSLFBr"
     "8/94JTDUgqFYP/G6hQAUAvwP0D8I6isBXA9av1T9"},
    StoredTrees{0, 4, 3, 4,
     "/5cMqIgoSSp9ZfwCwAJ9dVVnVX9qs0V6r8MwDwAPBs8Ow/6+LDP8Mvwy3HO8/7ciFCAVIqrWat4/3VgqlKg9ag9oN4"
     "37U8qvwD/ANZ8twP9QgVPBX8qv9A/wm6qUMpQyvzKB8ewY6hcMlww/zK98Ow"},
    StoredTrees{0, 4, 4, 0,
     "X/fFNUWhf0qsKwrKs878oOlCUJQPXw//AoChLVv4Wf/A8C0/TwpePMUzxqHwA98XxfGrT0/cDCoLYrfw/cDCoKYrfw"
     "/cDCgKAofw"},
    StoredTrees{0, 4, 4, 1,
     "D8kCkI/N/2/goOCgCiSi/2PAquVRVR/1CmvA//KgPwKhKS/AVd/yAAgEQEfwv+L0KkJW1W/Qv+zCxAjIql/w/+KgKg"
     "KgWc/A/+KsCsCsGY/w/+LLBDHDXz/A"},
    StoredTrees{0, 4, 4, 2,
     "lupUCVAv8IBy8/8wxcKXCl99n9V9f8oACACloG8A+iyxUo1KP9C+gOkrB/w/Wj9g///xAwVFfSldP8GeFcFVBf8f9p"
     "8b+lQBUA/8r/H8W+v8r/A/8GGx8/+ihAosKLCpb+"},
    StoredTrees{0, 4, 4, 3,
     "lupVAFUAf8P/Wrw/88IrApMCmrfaP0n+m/Kv8S/yKaMfwA/UkFVQV1Kn/Sjwb+BjyX/B/8GAav8VNX/KgEAAUBvbHw"
     "/+k8IiSoLKhVo/4/+o/IxQzVDJ/fPwmeqXAJUMv8y/xXwj+pKdFdU/VQ/af0"},
    StoredTrees{0, 4, 4, 4,
     "gOqSkiVXw/XwP3yLQ1cD/z3AFUAFUWmojQ/9ZDyqCgCWgCf3x3A/+vAAMP8oGqsf0r7w/+rAKwAKsCmqK0E7g1uqlc"
     "wlQwv8ggMVrw//XKCXKFXKKr2aC/QG+pFMyFIwP8y/1qbwP+0IFU/FX1Kq/0r3QV+l/yq/wo/yobwsbAb+oZw1Z0V/"
     "8dh2q7Q"},
    StoredTrees{1, 2, 1, 2,
     "0bqwsf8AHXKyP82jBVWv8b/8MzP8mforJ/89zgqKv89zgqKv89zgqKv89zgqKv89zgqKv8"},
    StoredTrees{1, 2, 1, 3,
     "YX9yUKr/Gh4szxf/hm6oQjL/3c1Mown/2r43Mcz/W/zxFGr/9M7QqKL/9Y6iKKr/9s4CqKr/9s4CqKr/"},
    StoredTrees{1, 2, 1, 4,
     "1q+vyn2q7wX19XCokM3wmpuqcy8y7wUN/dJdKq/w2rcpyqFV7w2q+DHxWqzwAA+ryMwr7wdP+3AUKq/w2XOotwny7w"
     "aq+wCSKk3w"},
    StoredTrees{1, 2, 2, 1,
     "W/8LC/8AF3y8P89g6QnP8ra4sKf89vxFdv8/S4qKv8/S4qKv8/S4qKv8/S4qKv8/S4qKv8"},
    StoredTrees{1, 2, 2, 2,
     "9r/0MSz/GC+rI8L/9oMCV1r/Y/9zLIP/ZZevADD/nV+sokT/hpulC/H//cuCwKr//cuSKKr//cuCqKr/"},
    StoredTrees{1, 2, 2, 3,
     "NqnqsA8x/w2P/0yXyr/wY0fV8q8D/w9qD8IlVq/wdr/DJwJc/whpbqXF/K/w9j/vccQo/w/VLqKqil/w/bLgKqKo/w"
     "/bLgKqKo/w"},
    StoredTrees{1, 2, 2, 4,
     "FqP0/yr8g88hlW6lcx/Mu8ZD/7dAUSqv89qw6AnwVUu899/5UCqJqd8kAZ6qyC8K+82qf9NJcSrP8bav6sCgi8O8Zr"
     "XyrylBqu89qv7RCcSpN8"},
    StoredTrees{1, 2, 3, 0,
     "3aOkJv8qf9xkf8AFf8/P8a7/C8v81r8rN/8/auIS/8vQsosP8fY+Qof8vQsqcP8vQsq8/8"},
    StoredTrees{1, 2, 3, 1,
     "1A/YSjL/qWrilKb//cDlcVz/Vv//L8v/AZXPw/H//0riqKD//0riqKD//0riqKD//0riqKD//0riqKD/"},
    StoredTrees{1, 2, 3, 2,
     "/aAwCQVR/wZmb6Uh/y/wWP//DLLD/waaX7/FQa/wgVm6lwvw/w/QP1IK8i/w/W/7SsSM/wGa17fH/L/w/3K4KqCk/w"
     "/3K4KqCg/w"},
    StoredTrees{1, 2, 3, 3,
     "/Zw8hJFXav8GtNNU8q/CP8Vn/+8AsCXP8moZOq8QgKf89Q//cCXIq/8EdVuVXN/yv8/ahPAsyVFf8ZN2+j8j/M/8B0"
     "WeVcN/yv82qhMI8CaiP8"},
    StoredTrees{1, 2, 3, 4,
     "vapjgHwy/xfPZqn/08Jckqz/GPRXV/yr/CvfA2abqZcB/zLv/QM/tCAUUqn/baNrqfyqBULvWZ//rxykIarv/ar/E0"
     "HxSarPvamPqoiy/PPvZqr/s0CSUqTf"},
    StoredTrees{1, 2, 4, 0,
     "n2g1VpU/ABV/8/x/auqwryu/kWvwCEP/lX//wfD/qWD6whY//an4gDI/lEq/z/O/lEq/z/O/lEq/z/O/"},
    StoredTrees{1, 2, 4, 1,
     "/0ANlSlQPwqtquKsKsvwW3///L/H/wABVe/w/xfw/2P8QVQW/w1bP+KqCY/w2fP+KqCY/w2fP+KqCY/w2fP+KqCY/w"
     "2fP+KqCY/w"},
    StoredTrees{1, 2, 4, 2,
     "WjV/X/KAAX8/1ibgnQX8L8fY//8AXKK/8YNdXqfAv8L81Wj/gqRGmv8P2I/qKK/xP8j3WPpsg/8T8/1hjhVwf8H830"
     "z/oqkFXP8bWn/D/MJaP8"},
    StoredTrees{1, 2, 4, 3,
     "/2oW6FXMf8m/1YE/9SgVCKr/Gh1V6n8i/zF/b2v/zwFLJVf/b31A1f8qAED/f2hL4Uox/yo/gG1v6n8A/8z/jdWb6p"
     "cIv8I/2Xc/9igpGmr//2oL6iSCX8F/"},
    StoredTrees{1, 2, 4, 4,
     "bYH/+0DCXaKr3wkGh2e11wlv8qTwb30R+l/yqAMMXw/dfb+qU8A/8g7w12r/8D/HwWlczwv2lgOqyil2WqLwGhq3+o"
     "fwj/zy7wj2q1uUlQq/8lvw/2j/9ffCsV0qzw/2BP/VKJVWKq/w"},
    StoredTrees{1, 3, 1, 3,
     "Uf9yUKhof8Bi6ssgzA/82swJw/LXP8ml6sLFQaP8aX6kQzCRf83X1QqSlav8U/7wHwts/8WX60M8zzP89Y6jCKIsP8"
     "9M5g1CooP8"},
    StoredTrees{1, 3, 1, 4,
     "2j+PCosMkozw2vOohwXxXy7wYP/XJUKoas/wgVuqwFCqAE7w2r+wnw/wVVzwX39VCqJRWi3wGochwqwrwr7wWp+zMc"
     "KlWq3w2q+8Qq8q8g/wdq+3AXKrFq/w"},
    StoredTrees{1, 3, 2, 1,
     "9a6QfHX/2//Jipr/9gwnKdb/YF7wkHL/df0yF1f/pX5A8Az/Db4gIvD//S4sKqH//S4qKij//S4qKij/"},
    StoredTrees{1, 3, 2, 2,
     "EH+rAgjwP8dv/8nytl/8Zpd/KBUGv89UOiBUpVf8Rhu1C/B8P8tr8AcLzfP82/+2M8zbP8/QOQKChCP8vWOoKiiSf8"
     "/cOAwCoiv8"},
    StoredTrees{1, 3, 2, 3,
     "WP/fMlIqWr/wj1bqXK/CvF/w9qDAJwHy2Q/wZ0fn8oBVNq/wAQfpcq8A8A/w9n/rCMfMTM/w/3vqjUio/z/wfVXq8D"
     "MyKx/w19P1z9iq/z/wZq/0D3yr/z/w"},
    StoredTrees{1, 3, 2, 4,
     "9a/6SIoSokGrfWD/9cBXyqliv/hqW6pYy/MvxLv99w1Uiq8U1aXfdav68isnDJgzvEFJ6rxFIqvAfv9qzwEHyKpVar"
     "PbfW6nwxC8Q/Lvdof6siMJKmUDvVA37fMXyq9qrf"},
    StoredTrees{1, 3, 3, 0,
     "3X/8VZX/do8nKmj/tS9C8tz/pY/Jynb/mauAIA3/NIdU/Pz/vf+8kND/V6cMCxf/gS8wKPz/rRM8K6H/"},
    StoredTrees{1, 3, 3, 1,
     "/aPsczx3P8ABffyiL8P8Vv/wKAtW/8q2/kB8qof8/YDAnSldv8/SriCKHQv8ff3PwFQVP8/UvrC8Fwv8ff3BwPABP8"
     "av3CyKwrP8"},
    StoredTrees{1, 3, 3, 2,
     "9vb6VA/yRq/wva///IEM0U/wGQ16fB/K/A/w/aD4CcSkd8/wgdm6nyvwvx/wV2/4M3Ir/z/wbaU6/ABVJa/w2PP6zI"
     "yEmM/wdb/zIgCgfz/w/WP1IK8o/z/w"},
    StoredTrees{1, 3, 3, 3,
     "1D/+rAAiMFij/adXdX8qIVSGr//Yz/UjVUql/P/maluDcA/wI/D/9j/+98M/DAaz/PYIOqIqSAPzD/QZWep3C/wL8X"
     "/W1V+r8ljKvxP/Xaf8MBzJ82XP/vUY+qSIsqNAL/"},
    StoredTrees{1, 3, 3, 4,
     "/ZE/qiAAFPKUqe8WfRfVfyqAFUhqt8fan/MwCsiQzZTN8g2lvqlci/zH/Mu81g8/tPAX8qlWqt8/acDqIksSih1le8"
     "bahXgfzy/Kv8I88/aebqpwovyFE8u8NGr/rzCVIKr8au8Vaj/1zJUMqhZpP8"},
    StoredTrees{1, 3, 4, 0,
     "auqynKtqr8AD/3w/D/P8r1V/8VGkX8VavxQvyVv8r1D8CiJ8D8/WvwMwDDf8q3E4oAQRT8lEq7wLCMb8lEq/w/D8L8"
     "q2DwxCoR38"},
    StoredTrees{1, 3, 4, 1,
     "Wn//fD/HfL/w/2AMCnSpVWPwABquiyii/zvwqtv+IcL8Cq/w/0Vd/yFUlUfw1bP8KgKpKa/w23P+AIAYw8/w2nP8Kg"
     "KpK2/w2nP8FwPxKG/w/1A+wF/KqlPw"},
    StoredTrees{1, 3, 4, 2,
     "/2iPgsCFJZRp/gNZvqUgv8L/F/VXf/XAKivFpz/b2lTr/JAUgFo/GjVnp/A/zP8F//2g/AKcKfNmn/WWv/8IHLK2RH"
     "/2ZD/orJKCiiT//1hbgVwf8Fmi//U2/pUB/8lWv/"},
    StoredTrees{1, 3, 4, 3,
     "/W9v6WcC/8BZbH8GjTV1X8p/wr/AH8b2v/9yCXJKtkBf8/2oAwApwCfDVXD81dv/78cKisBa8/8vYGb6pTAv8yZqX8"
     "ABlW4dUKv8L/wr8/2U/6i8SUHJQcf8bW1f6f8qDxEFav8/Won6FUM/8RZa78"},
    StoredTrees{1, 3, 4, 4,
     "gGqW+kVco/8q/8SbwaUP/+3KIXKKraar3wb30U9V/yqAVVAWqXwv2piOqikCirwmXxLwGhQ1etfwl/yq/wAbw/2vC/"
     "VLBVVKqVFCPw12r/8zyDwyisWkszw/9mVupVwh/8qVUkrw2aq/+PKysKAEKCo3w/2hb+NUAp/8t2Uqzw"},
    StoredTrees{1, 4, 1, 4,
     "33NViqgAREWr3AYP/XBUJUKoas/A2r8gnwvw/yaq7Qtpuqcpcp8qsx7wAQ+rygwzzzzz7A2qeoyHCECoBA7A2m+rCg"
     "Igkw0U7gWv9PJMxMScWrzA2r+gCiHyPxKq7wVh+3IUAUKpWq3A"},
    StoredTrees{1, 4, 2, 1,
     "9Q4jJyo3/g/T6ckLyl/w3T7JycpD/gBP0yMiPz/AWP9gUPBa/A9jwEKCl2/Qoa4yACDw/A1T7wDAQG/w9Z2xkVJz/A"
     "d37wIBDc/A"},
    StoredTrees{1, 4, 2, 2,
     "AFilwXD8PxAwWPz8nyfK1rAA9gCSSKJ8UaAgZpxPIBz/GZAwEXy3AcjzPMAAE3wTJAEiv8AAlVyvIhCPJVAQPayoIS"
     "DAvzAgl2SfKKAlDaAwtpwPMLyfNaAQ"},
    StoredTrees{1, 4, 2, 3,
     "dh/qsgiAhEdr/g1P/3CXCXCrGr/gAGvqU1UV8q8E/A9qTo8IhAXxVq/wWqfo8yci8zYy/A91P1IqJwKR1i/gVqfBxx"
     "zxyhWS/wZoXR8hDxDyBq/QtpbqXBXJ/Khx/ATb/vAMCMKMPM/Q"},
    StoredTrees{1, 4, 2, 4,
     "ZZl7fwrAAASBnw/A2D/9fBUxVIqhas/gdqf4PzyA8vFdmrzAYam6VcpXKfypMA7wtoY6qAU8l5KqcB7AAYP58ysADC"
     "Azwr3A9rzzQKUiFEql1S3A99D1UiqJICpTWq7g9oC6sHyK8ivFWq7QTVH6pwEQBPBw8k7A"},
    StoredTrees{1, 4, 3, 0,
     "jf/wsJSl/AZo8CAgIL/wa6uUFDwA/ApQ/IScrG/gEFf8LCT8/A3a8kJCj8/AbYMLAwNJ/w/Y8Bykq1/QdY9AUPFp/A"
     "3b8AAQrd/g"},
    StoredTrees{1, 4, 3, 1,
     "/XDskyiKJ0/QVj/3IcDwla/AAGroijKIvw/A3W/iBIkimH/gq3/gcBwPD8/w/YHAzCdKXW/gZn/hAEA86l/AZT3p8V"
     "z9AM/wfdffyAABAG/Aff/CrjKUtc/A"},
    StoredTrees{1, 4, 3, 2,
     "A2Z7bBYh/y/w/g/aA4CACcF81a/wPa/38L8H8L/C/AVj//AoAgCsVr/QvVm6lAlwvwgV/AWN01fKfE/IGM/A/aD4Ic"
     "I888da/QZUT6/BAJAKZa/A3a/wMEMUIoTT/g/aH48y8CUVca/w"},
    StoredTrees{1, 4, 3, 3,
     "bdVdX8qAgAEBhA/w/YAuogCI8hfFVq/QPWv+vIczHMiz8M/AA3W+lTBUgf8H/C/AWBtOl81fJfyoYE/AvaYOqIAiQI"
     "pTdo/gVj/+88LKiy8tWj/w/ag/QCUAlAKgz8/g/aRuoUBVwf8KAx/A/ag8ABwA8ErF1S/Q"},
    StoredTrees{1, 4, 3, 4,
     "aWpXq/wDAwAB8GHw7wZgX/1zJUIlQiqGas/g2ahfs3zyfPL8VxmqzA/fVDlUiqSQBKAP8A3gg1WbqpcwlTD/HL8l7w"
     "XaB/S/ym/CeUqtWqzA9W9vtXwpRCn/KkFr3A/acPtAEkigRKKXRSzQFGD/n8AswAyIDPwr3A/aAPNyCXIJcSqd2q3A"},
    StoredTrees{1, 4, 4, 0,
     "/bf78IAkARPAo0P8xyrKqt/QamqykKQq2pvAFCV78Fw/P8fAH2jwAAPAbxPwRX/3wfL8mR/gT1Q/8ihVaVfAqWDwrC"
     "kKiHPgm3/wCAOQtB/wXevxcFw/FG/A"},
    StoredTrees{1, 4, 4, 1,
     "/2P8CjADRVRW/gqtqulCVw/wA8vA1bP+KUKcK8Sb/wP2guIxIBKi/wPAgBr+SASC/D/y/A2qP8PMPEKqKs/g/1D+yk"
     "yoyqqh/QP1ROT8SkSo/8fgWm//AJAJIKY1/A/0Vd/yvwnw1MfA"},
    StoredTrees{1, 4, 4, 2,
     "fY//8gXANyCtpr/gGjV/V/Kfwf8H/K/A/1o3qPMihJVxlcfAgGZvpUiVIf/K/xfw12v/DMcyvErxab/Q/2BfovCJQv"
     "8UAaPAbdX/r/BQCUAr/A/A/2tbjXwl8H/B/yvwb2mDhhAfQP/AFVPA/2g/gKACXJ/zZY/w"},
    StoredTrees{1, 4, 4, 3,
     "AFrWLZUJ1QW/yf/KgA32k/Mf8iAHAA8BqVwwv0WAKooEiiSVKNVAAABUH/NyC3IDcsqymrwAGjXVFX8pSgn/Cv8rQA"
     "D2pvLH8Mfwz/yv/8wAbdF/Kv8iCgL/MoBxwAAYFbKlTAV8D/zP/8QwAE3/JQ8qCgAKUipswA/2g/IypzKfN/8WlqwQ"
     "VWv/D/wc/Jz8pGlrwg"},
    StoredTrees{1, 4, 4, 4,
     "/31P+lwCqykhSpyQGy7gENqVuoVwAVIC/8x/8yrgbYP/+0ABXIBXLKraar3Ab2qb/w/yhAPxAKyABc3gv2qj+oykwy"
     "rwxXw1Xw7gGgAVd3fyVfyV/yq/wAfAj2VmOqlMqlAov8ov8lbw/2hJ/VLKVJIVHKqXGqPQ1Wr/8fDCsCoMCoMGmM3Q"
     "/Wqb+cVUsVc8/8XWWrXA/2og+CzDwzHwSqpWWqzw"},
    StoredTrees{2, 1, 2, 1,
     "pa2uLP8AgBd8v829Y8y/8WHf/kv89vU+Rf8/Rk+Kv8/TUOKv8/SkuKv8/SkuKv8/SkuKv8"},
    StoredTrees{2, 1, 2, 2,
     "2X2jwKX/AogF18r/mFTf6iL/Z9H//Nv/fT1/6XD//e1Y6ar//cNC4ar//cZP7az//cpA4ar//cpA4ar/"},
    StoredTrees{2, 1, 2, 3,
     "VV9q/gVl/wAqIQ/v8M/w/QDWLqnK/wWr2B/zCX/w2P11fV8q/wn1tVnqsw/waqRv/I/z/w3T9rPiIz/wap9izI/z/w"
     "ap9izI/z/w"},
    StoredTrees{2, 1, 2, 4,
     "bT01/+fMrN8DUCahcC888829hfY+rCR+8GqlYH+z8V882A/fcN0Iqd8kqZFG+qkoO8/QQW0uJXKt8WqVgP+TcK/82p"
     "RY0/N0qv8Z9/an+vRpO8"},
    StoredTrees{2, 1, 3, 0,
     "AAZf/P8a2urK/81tX/wv8Va0DVf8UFCnnP8vYkr8/8970r8/8/Ykr8/8/Ykr8/8/Ykr8/8"},
    StoredTrees{2, 1, 3, 1,
     "1T9gMlL/q2rauKz/VtW/88v/AIAFd/L/fb9//QX/2v0CcLD/2v0CcLD/2v0CcLD/2v0CcLD/2v0CcLD/"},
    StoredTrees{2, 1, 3, 2,
     "CKZafw/M/w/1A1C6ly/wav9PL7yq/w1K/QA1/K/wmVnZ/6MX/wEAGFl6/C/wZtda//Rp/wb3/X/7Ys/w/3PUC6SM/w"
     "/2NkL4ca/w"},
    StoredTrees{2, 1, 3, 3,
     "/0QN0Lqlwf8ZqlYP/zQnP8ABSWpvo/Jf81Kv2ALpCKv8WX1W//vMSf8iNYjX/qPM/8aqv3T/XZKf8/1A1YrqvKP8aq"
     "v1SDqVKf8aqv2qXAfMf8"},
    StoredTrees{2, 1, 3, 4,
     "3QP99w9ULKnfgPWIFZeq/PLv1qo1gf8zYlzPZl9lqf+CaPPP/0ADaiuo/wPvNqkmAW/B/Kr/ValVr/+vAUTvd/39lY"
     "MqSPLvGKhVoP8r/PPv/2oNbQuqlHzv"},
    StoredTrees{2, 1, 4, 0,
     "AAAFb/x/XWrQDVU/VDVv/wL/atq6rCu/11faHpw/va9Sv/O/rWFSr/O//eVSr/O//eVSr/O//eVSr/O/"},
    StoredTrees{2, 1, 4, 1,
     "1ZVW/8Qx/wqhqhquKgvwANANVe/yfw/S/0AOVwPwa3Sn//yV/waqSq/+KL/wakSq/+as/waqSq/+as/waqSq/+as/w"
     "aqSZ/9ii/w"},
    StoredTrees{2, 1, 4, 2,
     "SB0pr/w/zP83TT90A6SiT8/9QNUi5lSr81Sv9AF5Lyn8PYCV1f1/yv8Yan2L//Dxf82hRAU/6Ayv8/2v1u/6/Ef8/9"
     "QCUL6/Jz8v9YPWL6v8L8"},
    StoredTrees{2, 1, 4, 3,
     "DVVBakni/zF/VSr/VADlSio/2tPXW//vD8v/v9WAVYLqjyC/QAdKNP/Xfyv/Laohglfw/xc/3XT/ZS/qIFD//9ED3Q"
     "vplSo//90olS/q/CP/aatJav/AaIz/"},
    StoredTrees{2, 1, 4, 4,
     "ACqWgAVer/yibw31dP2qD8ASjxzwv99gNpiuqn8ErwbYPRb3/9WQyr/w1X0/0VAOqKE8Lw/aqUUCf/A/JT/w/9BI19"
     "IulBSqnwXaq/WD/9zCqszwL91IV1a+l/yqLw2mq3VP/9PDyn7w"},
    StoredTrees{2, 2, 2, 2,
     "mmYb5gKIv8Bn2g4IPxf8d/W//Jcm/8/YJi43P8/8tlmX68nWv8b1Df1ArIv83W1b6cBMP89o2Nz8Aov8ab9/7yxrP8"
     "YD9y4IpiP8"},
    StoredTrees{2, 2, 2, 3,
     "WqWG/rMbQr/w0A93DkIpEq/wa2YHXq8Ajw/w9nFo/DAwKX/w2pXT/vSs/M/w/dBZLh0qfy/wtphxvqRFxq/wZq9o/3"
     "QUSo/wBq1vPVYq8J/wZfdq/gnK/D/w"},
    StoredTrees{2, 2, 2, 4,
     "ZanV/+vApcarv/aw2gupXMfzLv2r9g//HyVIqr/9nzan8DF8SZLPaAWPVep8sUCrvVq/fb+VAqgqXfBqPWMOoIAvCv"
     "vYT/ac+ogoEkLvk9bfW+q8sxPLvWqVUP9zgrIozP"},
    StoredTrees{2, 2, 3, 0,
     "GthX/Pz/922rAyv/9QX/Ua3/a1OfIvL/vUW/xET/UJ0/pJz/Bna/KDz/9z0DKtD/9y0XKgD/9y0XKgD/"},
    StoredTrees{2, 2, 3, 1,
     "X3Rb+wzzP8/YFv8VBWf82jY5+PIov8Zp2H9/K8v8P2jauKD8P8qX9QOAUBv8QNqv/AsC/8QNavcjJ8P82oajcDAaP8"
     "2oajcDAaP8"},
    StoredTrees{2, 2, 3, 2,
     "9aPQg6SFVa/w291NP1PKAc/wv1QVZ5XC/x/wZrZj//MsIr/wA9WVX6/I/M/wlBvZ/6jIiA/waV/aCwKTVV/w90Z1X6"
     "/KUK/wWq9WL48T/x/waq/WG7Fzfx/w"},
    StoredTrees{2, 2, 3, 3,
     "WtthaXqvIIDD//aimD/rMHCKz/v1YNVLqVwv8P/WgNTX/VDKsgr/AFW2pTA/MvxX/VWv1LPiSRVWr/ZX0q//PEqz/P"
     "/9r/0UfKIqP/P/9qhYAvz0q//P//0TVkvq0q//P/"},
    StoredTrees{2, 2, 3, 4,
     "v2WBXYuqlxL/Mu8Zq9Wj//FMKUiqv8AFT9q/8A/PP8V88/QNp9ldV/KpBKd8VPf9ZC+pIKFcAu82alVo/+vSIVJqu8"
     "/2s3aC+00lTyqt89Wo9fYOpSTFF8u8WjdY9l+V/C0sKv8VqrWAf+LHCy/LN8"},
    StoredTrees{2, 2, 4, 0,
     "VCfSHxxHD82oYD/zK8v8atoarCvK78r2HVf/xXH80UbT/UWpf8/Q9v/owjP80PaN/fz/P8DarYDPw/D8lZV6/PAs/8"
     "30QT/KgaP8"},
    StoredTrees{2, 2, 4, 1,
     "A9qNquvy/yvw/1/W//FXFX/w/1A2P+QcSs/wWj2Kv+KgKg/w2o12FM/xvyfwql/1AePxKmPw2qGKP+IIII/w2aGYP+"
     "ysxc/w1GFXP+KgLx/wWrWjX9/yAK/w"},
    StoredTrees{2, 2, 4, 2,
     "/9iDYi6FQv/K/bW39v//ylUpr/APVo1V1/yv8K/1QT9WL6SgFUq/Wmt9T/6Acy/P//aZWHf6vJGyj/v9W9Vw6/wIMw"
     "//1S1pjwfzP8V/fff9Ur6Jwm/J//9A9UL6KxWgq/"},
    StoredTrees{2, 2, 4, 3,
     "XVX/ajTALyxQVT8/9YA1ivqFci/wj8WmrZcL/qgUCKcv80PUaNVXV/yqPMH8Zfd/a//vHBckq/8D9BjXULp/yr/AL8"
     "2AX/agPgCjAKKj8v92NlUvqTAD8zL8/3UdVd/qfJFpav8/atFQW/xfCr/Av8"},
    StoredTrees{2, 2, 4, 4,
     "2mq1Wg//UPJXLKr/wv99j19iOqh80v88bwAP02j1H9F/yq/yi3w/QRP2qD8CSiSUApzwb9PYNf/+fzysSgM3wRX3/2"
     "XP+oIFFZ2q7wb9qb1qQeq/wAgLwLw/arfYBV+xVQq/8ijwf1V/Wqt+gXzwaZUbw399f19ZuqZws/8k7w"},
    StoredTrees{2, 3, 2, 3,
     "1r1oPCxyTxxq/wgBtp3qU08osi/w9YZbXi8rVCWY/wfZTf/vIMPKLD/w3203/XAoCs2M/wlp9hDqLKhUtp/wGpWB/x"
     "AqIj8x/w93NlvqiUiq1l/wZfdq/gEB/KRq/w/WNVLq8AAwI8/w"},
    StoredTrees{2, 3, 2, 4,
     "QFvab+H8KLCCwczwGqNQH+zAdSKrxDzwV9vVYOrJ8ilVmq7waBGPZdV8qvKP8r3w9Rwaj8SC80qpKl3wlqbSm+qwgJ"
     "TDXy7wWr1o/+PXLPyz8q3w/Qw2guo88gPICq7wZqXaP/UDVQqphy/w2qfav/UgpMoXEq3w"},
    StoredTrees{2, 3, 3, 0,
     "WliXPBi8/wpY2rJysL/w9jb/kDwG/wla2DyUq1/wa1G/cvJi/wfdVf/JSU/wAGe/QED8/wXZE/CynR/w940HCijz/w"
     "940HCijz/w"},
    StoredTrees{2, 3, 3, 1,
     "r2jauLAoCs/wVvWv/sLx/L/wQH9c+yF8nx/wGhY1e/KQPw/w/Ypi8AkSh3/wqX9QOHM8SG/w/c1z+BwPAX/w9oFD9U"
     "LwJc/w/c9wuBQKDT/w/cFwvIsFzX/w"},
    StoredTrees{2, 3, 3, 2,
     "/aKYm6lyvwTy/w9oZhf6/JAKJo/wfV/awwicV8Vk/wmdm1/6HDLDIR/wYDbb//zMyMTI/w9fLaH0IK8Vda/wD9WN35"
     "fK/A/A/w/2QWZ6bA/wv8/w2X3a/4HQPwGH/wV1/VP6Ik0rfy/w"},
    StoredTrees{2, 3, 3, 3,
     "/2t1//rQLPwxmc/wWkFjXXV/KgDEAy/w/Vf2oPgCUEqVVq/wtqWYFvqfBf8q/A/w1av2Av0IlRKoSC/wbb1Wr/DPMy"
     "VMlj/wANm2ZDr/A/zL8H/w92j1JbkVCv8xlI/w/1YFWbqnyL8R/J/wWQ19v/vxJciqaM/w"},
    StoredTrees{2, 3, 3, 4,
     "lar9qwOoiUDK8smU7wWjdY9ldV/KoAIiAy3w/2sBUJuq1yl/Kv8i7wWWrdaT+1AlUCpRIq3wUF91qv8P8KywDJxMzw"
     "BqhmAX/C/Kf8q/wj/wdXf9qA+iI/JVVVWq7wmvW/dW+qXCL/Ag/y7w9as9If+3MKQiqnSBzwZYFvb/+rAJQIHQkqzw"},
    StoredTrees{2, 3, 4, 0,
     "0PVFf/wkJ8fwqmvYDIcqUtPwvZpavCKIvzvwr0Ac/gAgiN/w1SfarADFMUvwatk6vHA/CrvwBZ9q/fD8P8/w1WpQPy"
     "mKpWPwUOaZXPwq8Cfw/UVf/hxfKh/w"},
    StoredTrees{2, 3, 4, 1,
     "fU21f+/ylQVc/wql/1s+UE/H/LPw/dB2pePxKiKsfwAB/2E8FDPy/xPw1a/Y//wBwKQK/w/1z1quKch838vwq9qN/+"
     "gyYT/y/w330EP+PIKlJW/w2oWjUt/y1Sv8PwVW/0zOykSpVaPw"},
    StoredTrees{2, 3, 4, 2,
     "v9YDWC6fwP8wA8vwWmthD//CqgpVKa/w/3z9ojwzHFfxXbPwAPW0131/yk03/Kfw/9QNUY6Fcv/C/xPwVRf9oP6Cgf"
     "8plF/wba1WP/5Iwiigqc/w/9j1Qr4/J/yv8rPw/3T1oP6HwP/DZp/w/3RpEd6vyI0SP8/wXUP9Yf5LygEARA/w"},
    StoredTrees{2, 3, 4, 3,
     "2vedFb/lwymKSlij/wv92A1YLqvcKdsP/xvwRXX/ag/iCnI/8mWS/wAAC9ZWfFbyr/KP8AfwbatVi//vBQsvy2mj/w"
     "/2oadNPV/yoVVdVqPw/dVvan30/zxQqFEc/w3aX/ajPoJHQcqNqkPwXar9YB/wPJT8p/yr/wv9WDXUjp/yoP8glMPw"
     "//ZNVmPqXwD/zL/Mfw"},
    StoredTrees{2, 3, 4, 4,
     "Wmq2kA//XPJXLKrGJT/w/0AGltl+qvyolUC1UAbwZX1/1VFuqFwDf8VVWqrwD9qYFqT+o/zzQDy/zy7wYP3VT1/9VA"
     "CqCgpLyy3w2FV/2qAMACnwCpyGmSDw/ar/UDZ+wVcs/8qmagTwf9p/1BC+BLwqv8U/8qjwv9lgdFSeqfy1/yqASFLw"
     "1BfXZf/+fywswwsSgc3w"},
    StoredTrees{2, 4, 2, 4,
     "99haW+q8AwwAXw18OwWqVEP9wyU8leKqWq841o/as8AJ8ivApVdqs0GqNgH/DMpPKSSo8A/waq2PZd28q5ALwDbAtw"
     "/aQ2kuqnIlAL8CjAe8YH3Z/+vArAAwgMAHOw/d/WQOVAqiQUoqfAO4RqPSN+w8KIChAocUMwkRZbV+qcIUAHwqGpew"},
    StoredTrees{2, 4, 3, 0,
     "WtiXPBUqwv09KUPyMnK1v42TX/clLxafwUP2jKICQXPwdme/Jycraf8aVG/GBw8A/w9ha/oDEiNP4hamDAQpKrf0Pc"
     "l//AQM/PwV12rzMPFVv4"},
    StoredTrees{2, 4, 3, 1,
     "9WtauLAMEUVX8/YFv/cVyfKdz+D3Tf+HIcjz/L8tn9Q+wjJIoqX+VN1f+BwHA8Vv/WhY1d/IAAIAD8qX9Q+AcKwpDb"
     "99rGI+AAgCiVf80H9g8gKAJA3D8Wn9UOSRKP8Yz9"},
    StoredTrees{2, 4, 3, 2,
     "Bq1j//DLPLKH/K/A/1A1C6Jylyvygx/w9Y/aA4CQK8JVda/gZ3VU/3UFUF/KZr/A2qlav4wAwcS8X8/w/2DWL4clUl"
     "8p/y/gW92Nn1/KAQA8Gc/wdTZafw/MA8C8Zo/Q/aPUh6jAiwSsTU/QkFvVj6jKiAnA3E/A"},
    StoredTrees{2, 4, 3, 3,
     "/0wZovg8l/Jfyr8wv4D9VjXXVfKnwD8A/MPw/aD3EPqAwosjKV0av0tgbWmPqkAFCD8wlqfwZan2j/iMQCPElyd8/0"
     "UGf1UDlCNSRVcqXHPw/1gNULqJCpcK/CQxP8dqmUJPy/FQBUAqYgPwVUVWpfA/MBXA/yGav8WX9V//vDDAwwJMHbPw"},
    StoredTrees{2, 4, 3, 4,
     "ADT99wNUHKiUAPwD/APMZql1A//AMlMiVyKqZQP81av9qQ8CAPAg8BVV1arM9VM9XQ+pACEJAUrydZDu/2tDYEuhdC"
     "pnKP8oQUDu/3QtZieVLKr8U/yi/PPc9o/Waf+vyCyXDL8MVqzvkam9UY+qiSKKMsoimwHtdqplQn9y/KcAhACobADM"
     "2VNdr/+pAwUBBQoqXavuWvZYdd+qfKl8JfwqGwTs"},
    StoredTrees{2, 4, 4, 0,
     "RWnYXzzKkqqV9/Ydv/fJ8vyvL+0PaF//yXJUvz8aho6rCQpCoai8oFPaDAMA8hqE/VdfaDlAUD8FA8X2hY/IAAJCo3"
     "8r09c/iwICQhH8FWvYLCkKiXJd8vapQPigKQq2Y+"},
    StoredTrees{2, 4, 4, 1,
     "ql/1iODwCkKsqhvgU92Nv+lylA/zTz/Af3Q2//fCfA/HaW/A/WR3Rd/yLwVRVSfAVa/Yv+AQAQA8Aa/AAAq1quKwCS"
     "iy/wvA/dP1g+wMwESo/8Pw/V/2D8CnCrCpg2/Q/XBXi+AJIJ/K1WvgWp2hn+PwAMAKUB/w"},
    StoredTrees{2, 4, 4, 2,
     "/a22FH1/yiECTCUE3w/9T9Uh6IwJfC/wn8T8aYF1r/4yEMrxK8Qav0V2v9gk6BciWJ/xZWj8mmlV///PCz8MlXGmvw"
     "/Rj9YD6CiYomVK1SDwRUN1o/wILAFw/8a2v8gPVo1Q5/ygQAEEPzLwP9YPWC6VwFcD/M/xLwv9YCWL6iBFST8o/AD4"},
    StoredTrees{2, 4, 4, 3,
     "/1A/agTsCgiKPEVVRWp8APbaN9XVvyp/IV0i/zJ8b9tAWv/vIJwAlyCrYMP+/9cj1SLqJcBVwP/M/8S/1R3/XSPRIy"
     "ogCBAI2gw8WUPVaz/jCgLKcUryWar/v92AXYvqiQSNBIsolZG8b9phkVvq/wIDwgEyA/I/2mpfaH/A/HOV8n/yV/D9"
     "/aktQX/xVylUBf8KWir8"},
    StoredTrees{2, 4, 4, 4,
     "/9tIFdIulJcFVcF/8l/8qrA/VHbWqU8A/zwCnwBfyFaqTwVQ1/31F9VPyqKMgVQgVYgfgbaqVaD/8yAArACDKqDaar"
     "zA/9qAVhC+lCJdUJV/KqVQALQmr1Wj1Ueq/wgAEAgPwgIVrwP9NT1hS+9YyVfwV/yq/xCnAWlgUVv/+v/As/AM/FMW"
     "Gq7g39dv1VgOqgwggHwip82qcLw/2qP2gT+RSkqSoq/8VWWq/w/ap/UBP/BDyqCoACojQbz/QQBPVdq/+bFCoFBAPx"
     "A/yM3A"},
    StoredTrees{3, 0, 3, 0,
     "d2Zmv/8/AAAV/8xdWdP/8KEtbq/8cr31//8kBU9w/89ycdK/89ycdK/89ycdK/89ycdK/8"},
    StoredTrees{3, 0, 3, 1,
     "AhWvb/7//IAAAV3/q2ratq7/ar9j3w3/FNV32/z/AVpdG///ar9P3F3/ar9DHV3/ar9DHV3/ar9DHV3/"},
    StoredTrees{3, 0, 3, 2,
     "/KL0I0S5/wGjXPXJ/6/wWX1avZQ6/w/IgBiBn6/wQqS1/aPw/wHJJiRv/1/wl1f1/VG6/w2sHHHL/7/wXJ/1DVZ6/w"
     "bNZ1/a///w"},
    StoredTrees{3, 0, 3, 3,
     "BAD9wDc/KwAYtUdX9q/AAA/KgAAowVFQAPEGatWB/MwACd4nW9V/KgAGAN989cKKAAPDA2pJf/LwAAAP939RCKgA20"
     "z90NRmKgAv/f9E9dIKgA"},
    StoredTrees{3, 0, 3, 4,
     "/P01qSWpX4LPtKm/VYNVi6rvYlXSq/0DD8D//KoAAgjyZ1XfAComqXWD/7PP/ENX9PZ0L6vv/fcZVxGr/x/P2ayVDH"
     "0P/8vvbapxAP0B/8vvV2j/dv12Y6rv"},
    StoredTrees{3, 0, 4, 0,
     "/x96lU9/KjfFAqu/oCEtW///XxTatBM//JqH3q8/BxU39of/vQvQ92s/fdLWpms//Wjat2s//eLat2s/"},
    StoredTrees{3, 0, 4, 1,
     "/yAAAAVdfwVV/2/2AMPwqtqtqtquvwaq1b1bf+/wALWqWq///wao2qGqf+/waq2qGqf+/waq2qGqf+/waq2qGqf+/w"
     "aq2qGqf+/w"},
    StoredTrees{3, 0, 4, 2,
     "bN3yf/XE+X81Qj/Qg2UuL8CCiSAac///8/ygAoKCVdX8WndVX/aAMD8091r1UF/+v8FJxytaz/+v8/BL/WDVi+j8mh"
     "f/U9VI+j8/xT/Utlk+r8"},
    StoredTrees{3, 0, 4, 3,
     "YIB/3f9dv+r//ykAASoyVdx/mnXVdf9lAOo/DBdkq1mD//L/aq3aaRRq/8//1yo/1AvcFuW/vdm/2YBdi+o/aqHYah"
     "hqf+D/anX/1f9Vb+r//zUP1Qppv+r/"},
    StoredTrees{3, 0, 4, 4,
     "AxcZarVYD//D/wZd2f91/11Buqrwvw1gD1iilleqbwWn31VUf2r/+Pzwaip2mqGGq/8Q3w3KQv91gJ1S+qLw/yqDao"
     "LWAU9xDwGSrVwCf3y/+k7wnSqf9f/dfl+qrwahN/9pD1BIOqLw"},
    StoredTrees{3, 1, 3, 1,
     "UJQFG/zMP8/Spatq4rP8BkGQWf78f8dt2v3F18v8WNY9bP6Iv8q3bT1D4C/8/ctg3M82/8WLYBg/8I/8/cpyXC8R/8"
     "/cpyXC8B/8"},
    StoredTrees{3, 1, 3, 2,
     "v1v1g1i6lF/wWKWAVA/6PL/w1d1d/aP6IR/wBkBpNZT1/K/wYbYfaa/8zF/waq/acf//Us/wUQ/2NmL6nA/waq/TPX"
     "B7yx/waq/a2bFwPF/waq/WbUc4/F/w"},
    StoredTrees{3, 1, 3, 3,
     "X1P9UDVK6ZRL/YL2A9of/2zyv/1gVXX9qP6CIH/BFQalmBf8fyr/mdZnWdpv6olT/aqv2rZ3F1Dyn/NKv9ANQC6vwP"
     "/FqBVU1q/7/xz/aqv2otrMw3zH/aqv3Y9HB68sX/"},
    StoredTrees{3, 1, 3, 4,
     "GKhUA/T3/3b8q/8/ffRV/2rAwBJ8c8Zl9mq0WB/7MCLM8lAW/dY19i6q8JO8AKgAoBmgX6P8q+81apV9v32P6sjB+8"
     "GKBZqV2f/6/8K+8nf3/aQN1J6mc8u8d2p/X/V1D5UEqt8Nqn2q2YCf8P8U/8"},
    StoredTrees{3, 1, 4, 0,
     "QWjdFVf/H8atq2pqsK78FY9n3r//P8r1LalA9XT82AUBQP9/P81bdJ9oOlD8vb9x1r/8v8DaJk2///P82kYhgP8R/8"
     "2kYhgP8a/8"},
    StoredTrees{3, 1, 4, 1,
     "1bld/ZF+vyfw/1/2/2AMVWPwqhqhqhqu/wvwASAYAW///w/waoaq1Nv+Ks/wQGWHWH/+wx/wVCVCXY/fhy/waqaq2J"
     "f+aI/waqaq2Jf9/y/watal2l/+CX/w"},
    StoredTrees{3, 1, 4, 2,
     "ACoA2aFn+v8p//Wm1p/T//2BX/WvVqXVaf8Pyz/PSj/QBkC+v8I/1SdVH/dBdS8o/b9V/X/VAOooS/ap0mtJw/+Aqv"
     "/VUP/U/VL+mXD/vaU3VtVc+v8Q/31T/UA1Auh8K/"},
    StoredTrees{3, 1, 4, 3,
     "/3VoVf9qAOAjTD8Har9q2VDb/P/F/8PSg/0gCUgur/KL8AC1ARVpqVcD/MX8bZdpqlGb/+8MzP8VWjVav92z9ZKKv8"
     "WipaNNA1v+lTKv811GU3Z/d3+n8Kv8lEG/3YEVS+r8gz8Vdb/1i9WL+qV/D8"},
    StoredTrees{3, 1, 4, 4,
     "VQAVavf1V/+qfwA7wED1EBVGmqX8A/zxzw/dtD9pAZhC+1nKqPw2irmgMVBv/+vjCs3wbavbarfUA//DIxT/wWir1G"
     "q/31AdVLyqbw3WpnX1v31j+qSkkLwDZdTapYdBR+x/wqDwl21/91AF1IuqhcqrwHSq/9gA1ASOm/wqrw"},
    StoredTrees{3, 2, 3, 2,
     "ZrdjVb//8Lvy/wv1g1iVm6nA/w/w3VHV/aM0IcXV/wAAmlmN11fK/A/wtpZpZhb6/IgM/w/VNaBYDzEnMr/wWN1911"
     "/6DKCI/w199NPV/5JKLz/w3YP2QWb5dy/w/w/aKQPTDzCBBK/w"},
    StoredTrees{3, 2, 3, 3,
     "Wo9atWP/3wBcIq/w/2kFhdZW6twi/A/wBamUBlqTwPzD8V/wXU/2o9ww6olJVx/wWtFhZZlV6fyoAC/wD2n9NAc/6z"
     "Jwis/w9qjfT93P1CCvwr/wYDfalEhT8fCr8J/wZr0c/3Wb6lcz/B/wn1ZpWQdn6nyH8K/w"},
    StoredTrees{3, 2, 3, 4,
     "ADb/VwNUS6r8Rfyq7wWqnWr9YM/68DLIsc7w/0MFdP1nw5SIqMFC3w/V/1qh2h/9cylzKq/wZqRmhmX2X1X8qvwn7w"
     "mvWa9Zh1l6r8ogDy7w9ao1Um21b6pUKP8U7wWr1UKdWpXwL88AKozwX2/Ta/1rD7QgVFKp3wbY9taU1P/5gxLCVM3w"},
    StoredTrees{3, 2, 4, 0,
     "/UdalA9UahPwatA2nqsKM8vwmr9gWn8/Cr/w2vaB9UP/CoPwr1BX1n8gpC/wP1qURn8lxW/w0FVVdp8fC8fwhatQV/"
     "+nP8/w2vY9one/C8/wVBfZFr/8Hw/w"},
    StoredTrees{3, 2, 4, 1,
     "UYV91NlePxvyfw/2AGPXL9kSUb/wql/1I1quKlC2vw/a/UqV/+Dxzy/w/3P3D3IOIM1cPwD9qB/1D+xB/y/wVfVa1U"
     "//HzPz/wWpWB1Zn+PyKo/w/1KlEGL8fI/J/wYAWrWjX+/x/y/w"},
    StoredTrees{3, 2, 4, 2,
     "/fT0EfVE+TwpVyfwm/dj2aNndb8qAw/w3Vj/QAUAuoXBvwvwhGtVQ/aB8AowAlfwWl9r3V1/+Qwoqr/wYAF2v9jZ8W"
     "8L/KPwf9UFX/VM+SiV8qPwXXf/UPVJ+vwNvy/wXV/9ovQ//wBUKa/wvaYWGNVm+p8C/yfwDVG/ZjWaOv8z/MPw"},
    StoredTrees{3, 2, 4, 3,
     "W3XaZd/Vv+rKAkps/wB/VkNW9lZNV/Kf8Kfwv92/2YBZi+q/DIDMPwXap9wv1qb+hVzP/Mfw/WcLav9UP/UglRSq/w"
     "YAdlq2WD/+8KqyAL/wXWr9YD9qD8BKcElV/wD2Bj3W9dceH/Kv8wPwEBRbZtpWX+p/EP8w/w/1oN2j9aFuBXAP/Avw"
     "WgdZ9/03H+T8K2yC/w"},
    StoredTrees{3, 2, 4, 4,
     "3WqP9qQ1qS+0/JX/KrHwWg02/1Gj1/9VICqLKM3wX2qf0Q/2qIPAILwWSkDwAABbapbUBW/B/x1/yqPwnX1v9VgNVZ"
     "+qfME/8oLw/2qGmq2mgleqvzyQHxbwfVfR1X1Wq/+fDEsClczw/9lAJFKFFVuV1Qqv8ivwbaqXQP/ZfC+lJAqv8grw"
     "R/1/R1P21yMVSiqREinw"},
    StoredTrees{3, 3, 3, 3,
     "9VWVVtqf4/zBVVVav8Wj9avWD/8wxwIsCzP8/3UFl9Z26Zcq/E/y/8Vdv9YDWL6fJHyilsP8AEb2r9oPwiwwAI/M/8"
     "a0FrVY131byqKAgSv82afVEdq/zBAUgqIqf8/aimj9iAyAkwKIP8/8Zr3U91v/zzwcKLP8/8mlZhWZpl6nyH8yAFf8"},
    StoredTrees{3, 3, 3, 4,
     "P0Dadxh0HHY8VgBW/KsQ/asxU/2T2KCcAH8AUFUgbVFRn32p/AMi8yVVJaoA2h/WqdUD/MMElIioiIwwVPb19z2kAK"
     "gJ8gryAPIgRqBkBmX2XFf8qACAPzIwUABdqv1jPLQgVBKoEqAQ/0NAaNBv/K9HHP8c/ygQQPb/dwN0JKUMqvwDPAIQ"
     "moGYPZZpnKp8KfyqAAAg"},
    StoredTrees{3, 3, 4, 0,
     "PX9algTKcqgEABD9gm/wUP8/zAABq1hkw/AoKsAr1BUpqgpyrVaA/UBX1rwAJCY3AvbV1Uly/CoIBA2vaNqUT/AAQA"
     "AF2vYNED/FVpUAUFfZ9owBMozwAatAmrlx8vwvLA"},
    StoredTrees{3, 3, 4, 1,
     "ql/1A1Aeky/w/8PwVa1UvVl+PwKgL8fwv9qFq1quKcC8Chvwb301HV/+ACACAL/w/1BF/1BOyglU1VfwAA/a2Y//FT"
     "Pz/y/wWpVR1Wl+PwL8ChfwWo2rWjV9/ygAgIfwZHT91NP+fJ/K/H/w/Wf2/2A8AHSpVWPw"},
    StoredTrees{3, 3, 4, 2,
     "WmtpBZb//w8sKVCmv8nXb/WPVhuoXC/wgAL81Pf00/dQOUor/Cfwj8/RxtraUE+r8xVBVSr8A/VT1VFX9fwr8D/wv8"
     "f9mBZvWcev8JPC/8j8f0E3X/VF+i8EAKYIn8X2v90/Vb+mED/MTxf8nVf/Ug1L+hyT8o/K38/a31Npa/8Atwq8IHP8"
     "baVGn9h2+lcD/wanH8"},
    StoredTrees{3, 3, 4, 3,
     "XanRgT1qG+gXDL/KWHF/AND/3SBdIun/KioS/yJ//WofVP9lNeUvKlVVVWr/b9da19pr/888lyyqLPz/v92BVb9VgO"
     "qKEv8y/zI/2mr/aj9oP+DKcErwSpX//RdlqWWBb/H/FYAqQAL/W/RYNVrV3+V/Kf8KmgL/GkRV9X01T9X/Kl8K/wz/"
     "f/b/1gNWQ+p9yP/Mv8y/1Wr/VD1UL+XQKvyr/Kv/"},
    StoredTrees{3, 3, 4, 4,
     "AAAZaqbQAV9w/ykQCq/wozwv9lgJNgNpVuqVUC/8gmjwrw12q/1QP2qDMACnwSqSWhyDw2tP2P3FBE/+nzyoyhcSis"
     "7w1GqVWq/0AD/VABVVKqVGp/w/b1JT1/31EeVLypAcqAVCXwZavVcP/Zfm+qlwov8gv8gbwWpUWhVWmp3+lfyq/yCA"
     "MU7w3UP3VrfVj/+vD8sKFVKmq3wXf2/9WAFWI+q/Ij/Pz/KjLw"},
    StoredTrees{3, 4, 3, 4,
     "Vpf3Fz2qDwAJ8grySrJ1Ec0dUVmqmYCf8L8p/yH/KtmqvwVfb/ZwNkC6onMVcx/ypBRO8Vq/WqtcB/7MyUiJXIqkW8"
     "s4mpXYHRhd26q8AIMAgTCbMe0ZqlUT9Wv/6+QrJAsvKxmrOw/asxov32B1U8qiAAFfDVVN4/2tDaP1ry6jMIIkoyip"
     "aau4ADT/dj1lI6V8qkQA/AD8A+w2VMdqd1jv6rMKMEASlVNqu8v3Wa9Zh136r8MgDwCvIJ8ew"},
    StoredTrees{3, 4, 4, 0,
     "AGvYh/zUNQ/yqcAatQ33qgJwnKtqoMFH9T1jwgCCkKgcIXSTZ9oADAMxQVAAP1qWhgx8nx/K8QE0PaFmly/AAJAPEA"
     "/cRqlAzKcqyrRgEEDfaBgQPApCoKwIlbV9UVz/AAACAEAr1AVp3w/IAQGTcA"},
    StoredTrees{3, 4, 4, 1,
     "/9qJ/1j+CkCoCoqp/QGoWrWjVc/yFQVS/zfARaZYRZ//fJfJ/Kab/g/2AG/1ANwCykSpZ2PgWr/a/Uq+KcCcK82qvw"
     "VEVV/2AMADADVBVCPAqp/1D1qulSlQvygMvAWpVB12l+PwIwKof8fAgBL9qNo+EwEQPyPxPAqVH1YV/+AyACAXgW/A"},
    StoredTrees{3, 4, 4, 2,
     "lNf/WD1iOoUKVC/87/E8bU1WtlD//zyconLK2mv+/aW3FhaY8P8wBcg/Fpe/1WP1o/UAOAMgKwFVdVo8n/dj0aN1eb"
     "8qUQVMP/B/ABv/YAWIuCU0lJbyv8S8v/X/VNlQ+Usp/B/wgBS8v2YDX/VC+grAnwlbP/y//2hpzRaP+MhzK8SvEGT9"
     "Wvd0Xf9P9RMoRNPyRpL8"},
    StoredTrees{3, 4, 4, 3,
     "/2oaVBFq/+AjMABwJfMFkv8/9oAVD9WCOZKKkoo/xQALDwnZm/0YGRi+qIwofC1TK/8b8bQBBq9FC//MUFxQXPyppq"
     "vwADba9ho21dY/KUABQAr/AHwWmjVYlVj/8/AjMoKSlVaavwvb1v3WFdW+n/Kj8RFVI/8Dw1Wr9agNoguCNQpXwv/D"
     "V8L02/WQFf9VM+UgKiBEUKhYAD83asdwP1pA+I8HBScPKRYy74XRf/1gDWIuolCJUAv8z/xLw"},
    StoredTrees{3, 4, 4, 4,
     "barVUDVVT/+vVAMVxM/ysQUs7A/2qP2g/2qA8AALwKnwFfw1VwDw2kf3aq0UAv/AwClwIlSsqWsr/AAP12r1Gj1VdV"
     "/yqQwAQQA/zwXAf9qQJvbZv/+EPJXPBXKKrbJD3gWmq/9qA1qIu1Jcqlco/8q/8ivQWQD39q0VAG+g/wlPyFFSqPwC"
     "LA/aPbapbVBQ+x/yhXcF/8qWajjwVVQ/WqP1ACONCkqiqCRVVVWqHgmqVnQVkdVk+q/wiKHyKPymKVrwlX1/9lAFFC"
     "+qiwgivwi/wlTxrQ"},
    StoredTrees{4, 0, 4, 0,
     "QNg2rauv/8Kgqb2/a//sfygaBoEV3cpQPAUBSq7M/x/H9q1gzc/L8tSnWjzs0yVFVr2jzc/ULQBqVP/c/cTRB1Wv/c"
     "/cLQB2X//c"},
    StoredTrees{4, 0, 4, 1,
     "/xABABANVecwSKSgVb1bP++wVy/yqhqho+MwEXIXfXf3//9wqtV9Vd/1D+/wAKqJ2J/1A+Ow/BVFV1/WB8NwaI/0AG"
     "L2a+Nway/0AEL0aNNway/3AEL1qutw"},
    StoredTrees{4, 0, 4, 2,
     "SCf81ppaZf/r7lSv/SA0gNJvp/Gnd1XVV/2gDA3KJyisaaWX///3/yQAoAdimVXp3l9b/W/1/1Rbq//wj0QJFJRf/r"
     "zU9P/b9X/V2/r3bAFQFUl/2sPi7yisoJpx2Uj/X7"},
    StoredTrees{4, 0, 4, 3,
     "GiCdStVq/2o/0PcVYr/0IAdgNma6nMLJMsq2SDXYL/8/sUCz/LJpKVW//z/c/yo9NAU0LRRX6XMPyiAAYARinH/6vM"
     "ldW/1X/V/10W6r8b3dkVVVV/2rA6vcWyj/0v9Q/1Nh5DczCVKKlWp3Wq/6vs"},
    StoredTrees{4, 0, 4, 4,
     "Gn02VVFVV/2qP+Axw/yqPwgKagKbwV9VWwlwpv9RgNVgN1meqbw/yMAD0AD0ih0/+r4wYAg/wMWmqVWq/+z9wbIqfK"
     "of9B/1CA+wDw1ylP9NPVNL1pVOqpwzw1yiqSEfSmv/8v5wZdo/9q/1C/1TZusZwLBXJKrZIBf0C//D+w"},
    StoredTrees{4, 1, 4, 1,
     "oNoNANANheLyfw2nGG2U2Uf8aE9w1GfWfXf2//xx9wf22n32/2AMUQNwqhqhqhqhquiiswBSB0B0B0X9/y9w2b2aGb"
     "WX/8aI+wWnWHWd2Z/+AH9w2lGG2U2Uf8aM9w2kGG2U2Uf+a89w"},
    StoredTrees{4, 1, 4, 2,
     "f9dDUUVP1QDlKyNwQC9oNaPVT//o/L8wX9f/U/1KtSPmVKPwYCmBBgQf0P///M9w1atVrVa/3z/Usq9wQZUWlFpbWm"
     "PD/AuwWmN92UdnVb/qAU9wCjQoUYFGmtXT/Jcwj9b/VA1QFULr/KvwTUf/UA1AZQvr/CPw"},
    StoredTrees{4, 1, 4, 3,
     "QHRAdkB22mUR6r8QNwGpVZqlUAVQD/8CCr8wRZf/aj9qP2kA4UpyNwXSr/0IDRgZGL6p8oPwfUH/2QDRANEC6ofAvw"
     "Ya1lqWWpbWp/wP8R+wCioKBBoEGjT/1f8q8wi93/3T/dJRUn6v8qfwb99gW2VbbV//7wks9w0XWVVdVV/2kL6ipEtw"},
    StoredTrees{4, 1, 4, 4,
     "QIASn1YalYWl/+qvww6w/X111V1VVv2qwMMSmlBwbaqWarWUAVUD/8zAJTxwlClv9FgBFgFNguqnyiqwAA0QCWQAWb"
     "T2QdV/yqkwU9q/9gP9qJ9qJuo//zbwQCrakrWn0/1nP+oKiy5wCCqP9gABQAZQC+m/yrLw1Cr/2qGmqGmqF+gPzyZw"
     "f9PYBfWtfX1f/+vJcM7wWlf1arVUA/UDz/ASqg9w"},
    StoredTrees{4, 2, 4, 2,
     "v3Y/WAVkNf/oMkLLPcAAGr1qNamVXn/K/wn8ba1WtVD/Y5vmUCv8HsWh9prfU32P//8HWKvc1Wv9gFZBWv/AKcCl/c"
     "f99PYU0P1JbpVAf8L8/fT0V9V/1S/UhKFaPcXaf2E9lbWmfpUy/8Tcm/Vj1a9WjV/n/KgCvMXa3/RFW/1kDhKN/yjc"},
    StoredTrees{4, 2, 4, 3,
     "batVg1VDVU//9wCXLKv31Wr/VA9VD2pW6FcM/8W3AB3baZpxmnGV6n8y/zJ3f9B/3UXd/1mA4Yoqfwg/30Mf2hBaEF"
     "r/7/wkaKr3/2c9an1o/2gPwixyFVL3v3WB1X2VbdVv6mXI/8x72/cY9Br0GjV/1fwpaIrz2vcaNRhlGVX/5coqSvz3"
     "a0do9G01WZV/5f8pgIL/2AP9q/1D/Uob6pcAv8B3"},
    StoredTrees{4, 2, 4, 4,
     "WAP1arVYA/UPK/U/CX/KrNwv91gJVmhVmlVn+qfwg//w6w12q/2AD2hD2q/8PQEsS1UxwX902hFFd1FRVF9VvyqgCo"
     "VwWgN/9pQFVUF11ullwqv8Arw/aTb2qZVAX1AUOl/yFVSqJw2oP2j32v3Wj3/+nCioCsM5wQD0av2av2/9WWep1wqv"
     "8yYw/apPYRfZV/2qD+gLLwPKh7wb9PWpfWhf1W3//1PBVLKq2w/ar/UD/drbZqb+kbcU/8obwAAB2v1VBVf11T91Si"
     "q/yC3w"},
    StoredTrees{4, 3, 4, 3,
     "Xav9q9WDVY//98CVxKpKwvsv92B3Z3Zv1nW6pXAv8D//L8AAFa9Vr1WhVV5f8qSgj/AHM/Wo/XH9d/2oA4QpyCfBFV"
     "DcnUX/3UBZYFVn5VxN/8qP8ncZ/Rk9WU1fXXT1X8p/yqAyr8baldwVVp/Wov5D8MFIw/yfc1Wr/fQVdDWmD4YAqQEF"
     "TSjc/ffdB1VU/2Q/xyApIBVkqvc/bf91iHWIdab6lRC/8L/8HcWhfaalVQ32D/7wBHCosvw/c"},
    StoredTrees{4, 3, 4, 4,
     "v9B/9VWpVWhV0RVfxV/yqAAAEA12qP2gD2g/2qDwAILwIVwUWVxAAABf9vQNPUNv/yPABcCCXIKr0A/QPaamYYHWUH"
     "Wy0/wolMSf8glAgRRv/1vT1/2lAiqCkACrwKDwLAYarRUARd0/dU/xXACoygMSgM2A2v30AUEdUvWVmyql0A/8oj8A"
     "bAf9A/932V33W1/x3/BXVKq/BA2A/QQP2qAWADWAJzUJBUFKobKiNAR/0/f1Af1I2VFip1QpP8BZAqoAAAAmr1Wj1V"
     "31VBF/yqQAF/yqSAP9AQFqQZqZZqbyNUMq/8Q/8g2A"},
    StoredTrees{4, 4, 4, 4,
     "an9ZapZYBbYBd+x/wqivynfyv/yRQWpf2pf2hfVWv//fAJcAJcLKsLKsygABq/9oAFAAFqYuUbwVfwV/yq/yCPAf90"
     "QF1f11/11De1LyqIMBIHyY/w9gX91Wr1Wh1Wmq08A/zwCnwD/yD/xawnapvf1gf1iV1W+qVcFVcF/8q/8wYA/32P9W"
     "PZWP1WAOqikgirw//wv/y5Q2oPWCvWv31T3/+nCioCogCo3Csr2QWEX/2qAVAH1AL+xFAqlAoXFV/GqBgbarXUDVdr"
     "/dnG+FFwqFyAnzwvwwFA/dAGb1WdVf2l2+V1SqlQAfxCWPyXAVaoVf1VR1/11F91FyqFQNfwqVfyvAf2q2mAGmlPV1"
     "h+q/Cj/HzlfylRUZw"},
};
constexpr std::array kAspftr = {
    StoredTrees{0, 3, 0, 3,
     "6sLAxP81SorAv86FVVav864y8PP86wcKsf8w/wqa/8//wqAP86/wqEP82/wqAP82/wqAP8"},
    StoredTrees{0, 3, 0, 4,
     "6rAsCxTvwM/CraPf/8rAcDz/6BVVVarv5MoyrkHf6+HL8/zv0UqiraLf4AKioaDfwMUyraPPwMUyraPP"},
    StoredTrees{0, 3, 1, 2,
     "+iMjkf8cMXF2v8/1xc3P8+7Kw8f8+QoALP8usAIBv8NstC0/89/wqQP89/wqAP89/wqAP8"},
    StoredTrees{0, 3, 1, 3,
     "dXKnD0P/+syC8Lz/MBVVV2r/+ogDDsn/+eCooRb/urC8qGj/+v/CqAX////CqAD/9v/CqAD/9v/CqAD/"},
    StoredTrees{0, 3, 1, 4,
     "+nyrQD1B7w8AJVJVWqzw//H8n838/wuqsA8CsV7wNdSqSq0r3weqwqBoCo7w+rCgChIq7w//j9ABCq/w//j9ABCq/w"
     "//j9ABCq/w"},
    StoredTrees{0, 3, 2, 1,
     "/wZLx/8rvCy8P8/qA8TP8XPEFJv8DVLT9v8rvSktf8fvwqWP8vktNxv8/kPBxv8bvxq9P8"},
    StoredTrees{0, 3, 2, 2,
     "ABXVV9oA8swKCWQAMUCkDwMAoqsP8hkAUrwjwLAAM3JQq9AAADyvA/wAADQ9K/wAADQ9K/wAADwwK/wA"},
    StoredTrees{0, 3, 2, 3,
     "/qoov8Rs/wDoVtVZ9q/w/9wVyqxD/wrq8oMCIw/wXq8DrKvF/w/VAqCoXM/w/Hw2839r/w/pyCSzxZ/w3h/KKqRo/w"
     "/r/AKqGA/w"},
    StoredTrees{0, 3, 2, 4,
     "/qxyI8FLKu8//UlVKq9Av8/gwfRFXxq88/VSKogoIvN8XqvPy/8hVe8/qrADz8W/O8rqvKsBiIqu8/NMK3KpVqt8/9"
     "wKhCDx898DqiKzf89qu8"},
    StoredTrees{0, 3, 3, 0,
     "AxVV/f8v6woVv8qwsLK/8v/Dw8P8X/yMAf8/3LSvf89ywqIP89ywqIP89ywqIP89ywqIP8"},
    StoredTrees{0, 3, 3, 1,
     "PxVVV/b/q4IoiCD//7wKwUz/V38jyLb//+AkD8f/v4gD8gH/r5C/J/b/b7/CqJj/Q7/CqfT/a7/CqID/"},
    StoredTrees{0, 3, 3, 2,
     "/6oAr8nZ/wV1/K/AGM/wo6SdSV/a/wD9kp0q/S/w/zAEQr8b/w/4BCJK/a/w36/wKqRk/w/6fI/8T8/w/7/DPxIy/w"
     "q5/yKqAA/w"},
    StoredTrees{0, 3, 3, 3,
     "W7VwX/KEwv8//RJUSq/Q/8A6qXSlU/aP8V1fyr8AGDP8r6ohS/8hVf8/w0itLK/bP8/6P8IqyUav8/60ChDD8c/8/6"
     "/wsAJJiv894f80qpQav8"},
    StoredTrees{0, 3, 3, 4,
     "/0UgqgKgJgzfAwBZ91V3/arPr6qzAnMr8xXvP/0iVdKq/aL/ZwD8qgBELKrP/5cgqCKi8fPf/6ohKL/8TXzv/6oIvA"
     "s8lynv3zf8q/wrGLLfm6pVHf8dEarv"},
    StoredTrees{0, 3, 4, 0,
     "qsKAoKu/ANVX1/0/Vf/P8gF///8pSf3/v+tCEVz/j8ADzKb/q8M8B/G/aP9I0Ay/aP9Gk/y/aP9Gk/y/"},
    StoredTrees{0, 4, 0, 3,
     "1SoLKhT8/7y8vHz+wBUVFWr86wMiopn86kTExMz96nREdEz96siAaEP/6nREdEz96nREdEz95woAK0b8"},
    StoredTrees{0, 4, 0, 4,
     "5ePI8yzPN46oUhS1JqOw1UqgrCsAtw6gJ1FUVqu0/89Ckqx/Pw6t9H0axF+06vDUpSlqu8wM/D8Klqsw6s9D0JxKuw"
     "6sNM0/yUe0"},
    StoredTrees{0, 4, 1, 2,
     "+jAgsNb/dcpIzAT88BUVFdr9/0xMSNz8usOy95n/OojCQtP8+wMDA7H89yQULEb+9zQULCb+9zQULMb+"},
    StoredTrees{0, 4, 1, 3,
     "+cyC8DwlvwMB1XVdXav8dXKsoygHPw+/C7CsJxf8uqcpg2iUf0/8KxDLPc/4+vPEqypWPw+oNB0KSzP4+oNB0LSHP4"
     "+otB0LSHP4"},
    StoredTrees{0, 4, 1, 4,
     "uqcBcBcB2q7w//z8L8H8H8/w9VCqCqCrAq3A+oxSRTxVWq7A8Dn0n0mkGpzQeqwj8C8C8U7w+qCoMDICJD7wuqn0X0"
     "90mp7QOqH0n0mk2r7Q+qL0L0GkGr7g"},
    StoredTrees{0, 4, 2, 1,
     "riEhIbb8/wKItHT+DNbXVfb9XfIyMSL8/ojAS8f/bkxM9LX+vkNDwhj8vgAAvAz8bkhI9Pf+bkhI9Pf+"},
    StoredTrees{0, 4, 3, 0,
     "/4AAPAb8A1VVVf39vyAiK1H/X/y8rJn8rwIDAiv+H/Dw8PD8qwsJFSr9twwJCSr9twwJCSr9twwJCSr9"},
    StoredTrees{0, 4, 3, 1,
     "/2AoEQvx/8n7U9TlI9Pwl48CiKEYvwX78DwPAmfw/xqWh/VZv4//yfJaL9/wq5IEg/yDPw/5qFs/SZf8j4jFD8b9/4"
     "A5pFU/T9/0"},
    StoredTrees{0, 4, 4, 0,
     "Bt/EURT/TwqsKyDIMl78f/8ryvL8f4v8qKgvJVvwq8IYBymKb0qukCQLwQLwr/DMoqj/fw/+UBQlD/fwUf/AchyPXw"
     "qMpJEU3/bw"},
    StoredTrees{1, 2, 0, 3,
     "vf+8vP8a+ALyf8WurFav8aNUqaP81esyQv8Bu8DK/8aclSZf8YckiSf8ZcmiVf8ZcmiVf8"},
    StoredTrees{1, 2, 0, 4,
     "vX/z8Kv/Z/KArVXvADVSqADf1XqsCxLvajA4oHzPWrn1VarfYbP8ovz/YbP4oHz/YbP4oHz/YbP4oHz/"},
    StoredTrees{1, 2, 1, 2,
     "ZfozI/82zBV2v8AHXKwP83f8sTP8lbqAsf89joqJP89zgqIP89zgqIP89zgqIP89zgqIP8"},
    StoredTrees{1, 2, 1, 3,
     "2r68zxX/b3/8ozP/2sxFV2r/mW6rIsT/Br6w8zz/0B1cqSr/Wr4yKIL/9s6CqID/9s6CqID/9s6CqID/"},
    StoredTrees{1, 2, 1, 4,
     "QAdVyqAo3wb9//L8j8/wmVuqVW2q7w2qOCMo8xzwdF+qxDaC7wGq+/gqyX/w2DMoKpWq7w2EOqKoh87w2EOqKoh87w"
     "1qOqKoh87w"},
    StoredTrees{1, 2, 2, 1,
     "9Q6whP8W/8LC/8AF3y8P89a4sXP8hnxR9v8pf40Jf8/S4oPP8/S4qIP8/S4qIP8/S4qIP8"},
    StoredTrees{1, 2, 2, 2,
     "tqOvVJr/W//wsJz/oFevKgH/Da+aC8T/9g9fKUD/Bmulw9L/Fr8DLGP//cuCiPD//cuCqID//cuCqID/"},
    StoredTrees{1, 2, 2, 3,
     "dp/yAyKr/w9oDqrIVS/wA9/f8s8s/wpBXq8niJ/whlrqVw9w/w1qPhKKfF/w3YPlIqcK/wpqv0yUyq/w1rPBKlVq/w"
     "29PVKqyp/w"},
    StoredTrees{1, 2, 2, 4,
     "Rqf7McsvDN89qv9QBWSqf8Zql8zz8SfM89AD1XyqEIN8mVf6qCsyhO8U//6/wqY8u89qz6hGF9qu8Paq6rwj88+89q"
     "g4wg8/FM8ZqnzTJVSqt8"},
    StoredTrees{1, 2, 3, 0,
     "kT+gXP8a6srK/8BFf8/P8lv/Cwv8/QMolP81b9V/f8/SsqIP8/SsqIP8/SsqIP8/SsqIP8"},
    StoredTrees{1, 2, 3, 1,
     "/YDKyln/ff/sIYv/ABXfy/D/qWrlV/b/na/isGz/1r/zzQL//0rioPz//0riqID//0riqID//0riqID/"},
    StoredTrees{1, 2, 3, 2,
     "ff//BcLb/wo1S6Sz/y/w2AV1/KAA/w0aPwUl/a/wDZo6pA/M/w/ZD68Dkp/w2pP1KqWV/w3ZP1KqxV/w1tP1Kqyp/w"
     "39P1Kqyp/w"},
    StoredTrees{1, 2, 4, 0,
     "n2gyrKs/ABV/8/x/1b/zyBz/amq1V/2/q0D88UU/fev0A/L//cp6EVy//cpykky//cpykky//cpykky/"},
    StoredTrees{1, 2, 4, 1,
     "XT//oyaD/w/2quKlF2vw/0Vd/yQUfwqhq+TM/Jvwr2gMVS/2Pw/2K+/I/8fwlZ/+Dzii/wD9q9/B/yfw/9K9/BRyfw"
     "0NP+DBLy/w"},
    StoredTrees{1, 2, 4, 2,
     "/3QDUqKVQD8AYP/o8kLKP8oNYbqnA/8b81Wj/AQcKlP82gFvr/MEyr8W///8MHCi/8/9inb/GRCH8D2qfpfE/zD8r2"
     "UvpFx/2n8r2ovqFAv8H8"},
    StoredTrees{1, 3, 0, 3,
     "WupQUGL/NP8oCDz/a+DKwsX/reuMjIn/aN8lJWr/QeUqC0H/1es8PBf/ZMorSlT/ZcnJolX/ZcnJolX/"},
    StoredTrees{1, 3, 0, 4,
     "ADVSqCgKN8anI8CwyRe82rvz8PwfP8Z/qhDENku8a/BEVRVqt8v3/yoIwB/8a/n8hyrFc8YTP4Uii/P8YTP8UyifP8"
     "YTP8UyifP8"},
    StoredTrees{1, 3, 1, 2,
     "ZvsoI2f/2jBFxRr/tbqysLH/AHbLSsD/X/9cXNz/9jUKKgD/9jYIKgD/9jYIKgD/9jYIKgD/9jYIKgD/"},
    StoredTrees{1, 3, 1, 3,
     "tW6rCsCxf82swFVVXav8b3/y8LxvP8Bp6sDSvE/89E6sqwoyf89g1QqKgAP8U39wcCNS/89o2ggKoAP89o2ggKoAP8"
     "9o2ggKoAP8"},
    StoredTrees{1, 3, 1, 4,
     "Zq+fL8j8b83wWDcVyqCpUq3wVV+rVAVD2X7w2r9DCVIVWqzwD0//j9AByq/wd1+rsS8i8k7w1N+ryTCqlB7w0DOgj9"
     "ABCq7wgBuqz9ABCq7wqhOhD9ABCq7w"},
    StoredTrees{1, 3, 2, 1,
     "d/4MrFv/AP8TMvD/9gxVVfb/nX7wPJn/pa6g8Dz/Wf4ICGz/vf0yMwL//R0yKiD//S0iKiD//S0iKiD/"},
    StoredTrees{1, 3, 2, 2,
     "9WuqQrCZf8AEdfKcrwv8W//8cShbP8tpMvFAUGv8rX+izBO8f89o+FSVL0P8fb98I8xi/8QV+sqyyyf8/QtiKLAmP8"
     "/ctiIKogP8"},
    StoredTrees{1, 3, 2, 3,
     "tq/AMw8rFh/w2pPqFIKCfF/wAEf38qQc8o/wpZrqVFVV9q/wVq/vzMCsZM/w9hDqooowsx/wd//VMqcARr/w1qP2CX"
     "CmSp/w2VPqCCCzWV/w/bHo8D/CLw/w"},
    StoredTrees{1, 3, 2, 4,
     "R/f5ecq/IPxDfZqm4Xz1AVQarv9Rw5QiW8q1kL/hla6pUCV8vZfvdjf98BcCnIqnPHal5fyr8AfPLfVqvyACUCpFgz"
     "PUPf7cAUIqGAzfEQP0UCqAoQqLfWaP7cIUilMqjf"},
    StoredTrees{1, 3, 3, 0,
     "a6srCyv/AF/8rPz/PUNVVf3/Vr/C8lj/9f+8DAb/lT8MzMD/9ScsKoH/9ycsKiD/9ycsKiD/9ycsKiD/"},
    StoredTrees{1, 3, 3, 1,
     "Vr//yvJm/8qGrisKz/P8/YDBVPWVv82M/vD8NYv8A1Xvw/D8P8AS/XCRD9P8/0rigLCRf8/0rryDEEv8/0vjIPwPP8"
     "HS/cC0r9P8"},
    StoredTrees{1, 3, 3, 2,
     "0dt6pwrwvx/w/aAwSV/VWa/wAAX1/KKC/I/wdv//AMCrZj/w/1r68D/DAW/wGVV6fIVD/b/wrdi6XK/chc/w/1K6KI"
     "KsIM/w/3L4Qi8q8A/w2Vf6/AgAWw/w"},
    StoredTrees{1, 3, 3, 3,
     "/ZQOoIcrHJWX/WEVdX8q/AgDD/Qav8AqzXKWqr/916+qjEsqlZD/oQUupXFXxf2r/0ff+8qMzDH8z/BhP+o8cIK/wL"
     "/aWf+oqUxKl0v/9aq/SiUcq/0X/mdf+oNAicJlH/"},
    StoredTrees{1, 3, 3, 4,
     "Va3/3xJcIqyGKc8g1WvqpQA/zD/FO8GaBXSvyjAA38qs8Xf//qgH3CVcZqe8Zmp/qfyq/DMD8u8fX//l1MUUqj9Q/8"
     "/asDoAgi/KiIqu8oAFLqmjy9PIsqu8/ao/9SBV8qlVqt8fb3/FxCotPBtrN8"},
    StoredTrees{1, 3, 4, 0,
     "pUP8CwLFv8ABX/8rz/H8qWjyhylRT8n2gxUFf/T8auqyoATKL8BWpw8Dwg78Wb/3w/CEv8/Yp6UhQfH8/Yp6UBSfH8"
     "/SLyjTL8H8"},
    StoredTrees{1, 3, 4, 1,
     "pGheryjyPyfwfb///K/Kab/w/1quDyKglVvwql/+FTFz/2/w/1P+QUQU/0/wr2U8/xDxAGPw/dg+KsD8f8Pw1UP9CS"
     "z0yk/wqRa+/Srw/zvwA1aO/T2z/zvw"},
    StoredTrees{1, 3, 4, 2,
     "oNYbqnAr8P/C/V2v/8EVClUpr/r2oTEPNIAQUr//2j/gqMpCp9n/mnVvX/KDcA9x/b0//oQn/K2yP/r1aHpXAX/P9Q"
     "/v9avUcF/xZAp/DQKvE8NKgf8p/raUvpFy/8oWF/"},
    StoredTrees{1, 3, 4, 3,
     "r2lH6nxxVXH/ar8mh1Z5f8qPwIgMH8UGv/7wkLCgNfy/8/9Qr6qXAr8yVVH8rYFL6vyQ/KKFiX8D2mk6v8qkCr/MH8"
     "/2kjwSoyWiD/MD8/3RH1lwq/xAVbL8o2qG6EcM/8SPab8120/9QAlDKrKYP8"},
    StoredTrees{1, 3, 4, 4,
     "VUD/+3/JX/KraYD/w/2qAMAKn1PVVX2qDw2j0VdW/yq/wAADwXwoNVS+qRYF/8q/8Tbwr2lp+q/wQIPyhWlLwb2///"
     "dUCVVKp/2q/waqq/8xCyqSgiSlV3wr21huqp8Ur8U/2qrwDZB/+vLCXPAr/xC7waqq/8zDCcTKsVVc3w"},
    StoredTrees{1, 4, 0, 3,
     "9e8r8vKx/wY+NVVVVq/Qa8O8fHx8/Q2urAwsLM/wBNUqIycK/Ajf8siIjM/gV+gCMHBX/wfeooQEJc/QfeooQEJc/Q"
     "auoUVFx8/Q"},
    StoredTrees{1, 4, 0, 4,
     "1XqwAAAohU7AavAFVVVVWqzQ3bV78vy/P83gvXfyqCkKsG/Abfv8qwLAsE/wRf1SqKgpMp3Aa3/yDCsJ4p/AGrqioI"
     "Q/Cs7AZXKiqIAgBT7AYDKiqIAqGo7A"},
    StoredTrees{1, 4, 1, 2,
     "1vssLCzX/gDXXKysrA/A2LrFJRUa/wtfozMzOx/wY/qIoJxr/w2jBUVNSc/QWv8UFFRc/QmryUlJSc/QmryUlJSc/Q"
     "mryUlJSc/Q"},
    StoredTrees{1, 4, 1, 3,
     "UH1cqtJUlg/wb//y8PwvG8/gNq6ooiiKMc/A2t4MBMnWZq/wgX6gSBMI4F/A2j88XxbFhq/A2oxF0XRfNU/QWr5DEH"
     "QfFX/Q2o5MEEQzPE/wGr/A8JwfBX/Q"},
    StoredTrees{1, 4, 1, 4,
     "dj+rIgICIDar7g2rcAxXRXxVGq3A2q//H8n8n8X8/QBN+VCqCoyqxM3AoVuqyrBiBqiV7Aap+qsA808scM7wmquoQA"
     "Q0S80qzA2qNoCoCQCQCjzA30+vAqD3x9Wq7AVq+qCpBhCpWq7A"},
    StoredTrees{1, 4, 2, 1,
     "V/6grFxn/w9Q5UVvaV/QQF7w8KDy/AFv8LCwv3/gpa7wAgIA/A1jwpNSlW/w2D4sNCi8/w3T4oNCtZ/w2z0CBivK/g"
     "2z4oNCvK/w"},
    StoredTrees{1, 4, 2, 2,
     "9UOqA8j15Z/A2E9QJBEolh/gQZevAoCgvG/ANCulVVX1fa/Q1r+DDDMM/a/wF3/8MQxLMM/ArV+vIAIygG/AdP+wgC"
     "BUGz/w1k8TKBQpFY/w2g+jwBAoLw/w"},
    StoredTrees{1, 4, 2, 3,
     "rV/qDDCzEiME/g9gDqVFVV9Vlq/QgVrqoAoA8zsx/AdN/fAqDIEMas/gWf/rMMDMTMRc/w1q/D8y8w8oGy/AB1fl8q"
     "HCFi9y/wdaXq8IIAoAvA/ARr/DCdwVSVSq/AVq/0w0Ckz0Sr/g"},
    StoredTrees{1, 4, 2, 4,
     "AXfNfSoEABIDzzEABqfLMMciXIlzKsEQpVaKrUAF8jfKFVIQ9owKigq/FfykMqAwZgFJvwlAVQFUmqEABqvARL8QrF"
     "Kr0MIgbRfIUCqIKCDxqrAAA/fN/BUAVAFTKrEAAavJcAWAlwKorwMA2FzHbyX8l/KsYyEA"},
    StoredTrees{1, 4, 3, 0,
     "aac8CwdN/whf9RUVL9/gEKsIiLz8/AZb/Fxc3F/QW78jMigj/AnVP8rP2Z/AtS+IAQER/QpQ88CAsm/A1j8yARUq/g"
     "0z8zARUq/g"},
    StoredTrees{1, 4, 3, 1,
     "UP/8yvB8kz/ADa/gkwShP1/Q/UPVSVL0p1/Aq2rigKAoAM/Adn/jDIsS2Z/AXVXvwDwLJl/w2Y/DFAUqcm/g/SjoCI"
     "AQD0/A0A/iIPQqL8/w2s/isPQq8q/w"},
    StoredTrees{1, 4, 3, 2,
     "GRn1vKrS9S/Q/wd1/6IKMjErZj/goRi6iwiwpwvx/wfWd6/FCFDFAa/A/Y//UsUMUM/a/A9Br6rC/IXI/M/ATf/7BT"
     "pSdWfZ/Q/aAwAKAQCwVc/w1lP5CpCRKiWF/g2pP1CpCRKiyp/g"},
    StoredTrees{1, 4, 3, 3,
     "1h3+r8XFFTyoZE/AraYuqIKSANUC/B/A/agNiAggSIvSWc/gVf//cwXIlxSttD/ABVb+qlgpcKXD9Q/QWFdeU8q/Av"
     "wIAw/A9UK+pQlUlfZUtq/wV2v+/8MCzE8xGM/w0aj+QDMASCITPM/g2aj8AywApCPTKs/A"},
    StoredTrees{1, 4, 3, 4,
     "p2WvqvMyMqI/8Sby7gRf//tBAU0BRSqP0M3AFar/CDH8IV0hXf2q7QWalXofyqhQCNAE3wzQrZVLqkyCVvPX872V7g"
     "/VcDVAiqSKv8qxHy3A0Wr/laAq/xSVKv8g3wVGT/l/xUBFQMqBhM/Adj//9/xX/Fd8qmoA3A/YAP1QJVAlUIpSWq7A"
     "XY3/jwUchRz/LGqrzw"},
    StoredTrees{1, 4, 4, 0,
     "1C/6AIAgFc/AR2k18VR9f9fAqWjyrCsKyrfwU1V/8DyPA8fA/WvwVBVHf9/QqUD/wvD8EWPAXb/yw/CfGD/AH2jyox"
     "BcP8PAU2qyoxDc79vAau/yixKMsw/g"},
    StoredTrees{1, 4, 4, 1,
     "V0Vd/yDyjyAQfA0GP8EJEJEJv2/gr2gOKsKsKs/8PwD2quBUJUpU/3vQfZ//rypQrwar/A2BP+KD/D/Dnx/AqlT+Ty"
     "RRT9/2/A2dP+ICIAIwkY/A33P+KAKAKwl8/A/1D+/DBBDxkG/A"},
    StoredTrees{1, 4, 4, 2,
     "RWP//EshKk91qa/AraY/qvA/wKfD/wfA/0QDoqIKgioKVxPAAFtboVwVcF/D/U/wYH//sADAAxENvz/AWhVXX/KBQA"
     "8AAM/Ar2knBHVRVUVX/afQ/WaPqkApPP9yVZPgoFYfqEAhAISiPRvArdYvrUA1AP/AlgfA"},
    StoredTrees{1, 4, 4, 3,
     "ramL6qSApMCvwL/xfgB2j/wS8x/xV9Vf9qfAZ2//7wMsIQdTCmrD/A/1og6iogKjAqMFUcPA/UWL6lQqVKjUqP9MfA"
     "WtVV6v8ADwwFCg/E/ArTWJ1VUqVQL/IiAwfArVGH6kRHRFV0Vf9qvQoGqm6qXApch/zP/MfwrWpD9PwXBBb8q4WBPA"},
    StoredTrees{1, 4, 4, 4,
     "PX1R+lVyqVQqVQq/2orA1WN//XCKUACUAKoEYC/Ar1VR+qX2CV3y13yv1VrQWmBVf1/yV/xV/Sq/2q3A/2qAOgKn8K"
     "lWKlWVWqDQD1qpuqVQlVYVf8V/2qbwr1pi+qpCopKgpRw/3wbA/Wqi8U/CU/CX/ypUGqfA3YDE+0PBVFJVPKpLKCHA"
     "UN9/+3/ArDARRQiT8D3ArRVr9V/yqBRBDRBJyyXArX1i+Vp8qV01/8pj0CXw/WH/+HAIoABcACsVKszATWo/+PBAsB"
     "McH8ramq7g"},
    StoredTrees{2, 1, 0, 3,
     "tX3/vP809DqK/8X2vAIf8AAblKv8GpXrEv8aUnSJf8ZUnixf8ZUnyVf8ZUnyVf8ZUnyVf8"},
    StoredTrees{2, 1, 0, 4,
     "RZlulKrvvW9ePvzfF1q8AFXPAEAevKvv2vaOqKLvahL//UD/ZFKeiwHvZFKeiUHvZFKeiUHvZFKdSKHf"},
    StoredTrees{2, 1, 1, 2,
     "GhD/zP8d3b4Jv8gYG6iP8WdswVf8bW/6M/82Fn1yv8adFyxf8adGyVf8adGyVf8adGyVf8"},
    StoredTrees{2, 1, 1, 3,
     "lWavAFT/AQBnpyr/b1n//Lz/tm1bqsL/2vdPfyv/aHQXJSr/1rVzkyj/aHQ/LVH/aXSbKVX/aXSbKVX/"},
    StoredTrees{2, 1, 1, 4,
     "9Ddoejyr3wWq2v8MlVzwn92p+jL87wAAAB//yo/wZWZW+lSq7wV3319fSs/wat0r+jsF7wap1hOiJB7wap1huiVB7w"
     "9plpuqSi7w"},
    StoredTrees{2, 1, 2, 1,
     "BgX/8f8rfUOLP82xg9Mv89aWulP8U1Ne8/8fX3+F/80zY8C/89LW9cv82zcvG/82zcvG/8"},
    StoredTrees{2, 1, 2, 2,
     "9jX/2Ar/oGga6sj/BUGlw8X/W9Zv4zP/Vr2P/Zz/fV9f5Ur/an0TySX/an0YyVX/an0ayVX/an0ayVX/"},
    StoredTrees{2, 1, 2, 3,
     "9q92PpLC/w09E1/X8q/wtqtojAxw/wPaff/vEs/woFpFrqsg/wag9BXJ8q/wan9JvKSV/wBpBp/q8H/wan9L/IJV/w"
     "WqWC/yET/w"},
    StoredTrees{2, 1, 3, 0,
     "a2urK/8/YU/Uv8AD1D/P8nfX/xf801CXvP81jYvKv82zcvKv82zcvKv82zcvKv82zcvKv8"},
    StoredTrees{2, 1, 3, 1,
     "/apa+hL/ADQ1d/L/X33Q+Zz/qX9Q+8v//VNv/XH/3U9quGb/2s1i8Kr/HU9aO/H/1o3C/Kr/2c2y/Kr/"},
    StoredTrees{2, 1, 3, 2,
     "9jdjf9/K/wrVo1r6sw/wYaWa1wPF/w/dSf//Cc/war/RoyVV/w/0A1i5lK/wWGVG/7PD/war/RLyIl/war/RhySx/w"
     "BaHY/3/J/w"},
    StoredTrees{2, 1, 3, 3,
     "VqnYH/xJEv8/0ANqLqlwv8/apnRX0/Kv8Qam2//fPJf8fX0Wr/AAs/8pda3W/qiQP8GABQH/r/Kv8ap/0qjqYVf8ap"
     "/0r/DVXP8ap/0kLBSKv8"},
    StoredTrees{2, 1, 4, 0,
     "hbdb/Pz/b2gf/xX/atq6r/y/PYFlX/x/DRNZPKg/0epQPTI/0MYLfLz/nWfaDvw//Y9q/EP//cpCnIy/"},
    StoredTrees{2, 1, 4, 1,
     "AG1Hd+/xfwr9qtquBcvwP2Q2/8EH/wqhPRK+/CPw/0/1A+Si/wFaHU98/y/wX3/V//bK/w/9LZK9hSPw/9L1KdByPw"
     "/9H1GNPyfw"},
    StoredTrees{2, 1, 4, 2,
     "raY1FD6/xL8D9BAb35/yn81Wv9Qq6KET8UP32///AK/8qgap3Z1vyr8/9T/Uq6lSL8X1f9oAwSjP8v3a1X96/8P8rR"
     "Y0VL6/Cz8/1YVWv6vyv8"},
    StoredTrees{2, 1, 4, 3,
     "Wj9VG/8fASvAP1UDapwg/wxA/XSvVaIqlUoAqE2qdWkl/yqA/9EA2SoqD/yAQatdg/cz/xfAp91PWUsq/KyAf2r/aA"
     "oDajGA/9A9HSsllSqA/9M/WgooSsKA"},
    StoredTrees{2, 2, 0, 3,
     "b2vAJWr/tbX/vLz/Gl/qCjP/29jrwMr/9BbXK0r/Q0PpKin/aUXJUmX/ZUnJolX/ZUnJolX/ZUnJolX/"},
    StoredTrees{2, 2, 0, 4,
     "BaVevPwq+8a1KcxipVc8/Qdt3Ki/N82vaOqwHKu8fd/f/pRqf8Z1L+sUxh+8YBA8qCoqu8vVqcDKIK88QFPeqKPIu8"
     "aNNOVKr8+8"},
    StoredTrees{2, 2, 1, 2,
     "WtswVGn/Y2H1ysP/tbX6KwH/3V//DCz/BAZ5wcr/19S6srL/1Rk1KlX/3Rk1KlX/3Rk1KlX/3Rk1KlX/"},
    StoredTrees{2, 2, 1, 3,
     "WjazQSJCv8Z1n//LwvP8tW1fqsmyv8AEAXlyrAf83ddPvwfK/8VvWrqlJof82oYTFKpVf82ocTVKpZf82ocTVKpZf8"
     "1oWTlKoY/8"},
    StoredTrees{2, 2, 1, 4,
     "gBYB9XCogA3wVd2fOslMaF7wD2D2//Cpyq/w2rWocCyAFQzwarSm+rL8L87w9rtpuqSUyr7waqSr+ycq8y3wZUSp8x"
     "CqCqzwaqSo+yEr/z3waqSo+y0r/z3w"},
    StoredTrees{2, 2, 2, 1,
     "dvY8F2n/AAGuoPL/21t+8Lz/ra3+DCv/WlT/SUr/V/XdckT/2TUNKln/2TUdKln/2TUdKln/2TUdKln/"},
    StoredTrees{2, 2, 2, 2,
     "3UdV68CAP81o0Q1KpZf8W9b//CcK/8BgGvwAzyv8r2ka6rL8v80GQf1Moiv8dr1v7VBrP81o0R1KpGf81o0R1KpGf8"
     "1r0D7wVCv8"},
    StoredTrees{2, 2, 2, 3,
     "Vpdq/jCMHL/wvVrVrqsCgx/wAAAR/fAr8C/wWp9zDgXAfF/w2rWA/zEVIq/wVqV3Xl8qFU/wY9Uf/nAICs/w2pdz/x"
     "zSSl/wWp9x/qBki8/wWp9qPDJzaz/w"},
    StoredTrees{2, 2, 3, 0,
     "Pf0PABD/ABFX/Pz/1da/Jyv/a2ur1Hz/pU3/8IX/9qUPQvL/df0DSUr/11SfvBD/2zcvKir/2zcvKir/"},
    StoredTrees{2, 2, 3, 1,
     "vWNauLADP8Fo2P/mL8v8QBQ1d/K8P8qX9Q+CcKv82Y9v8MEiv8bdNf+xzPP8Z39cOfBGf82Y9RdKpZf82Y9BeKh/P8"
     "PWrf+AgI/8"},
    StoredTrees{2, 2, 3, 2,
     "f0Q1S5/KAC/wda/aAwScSl/wandK//EnIp/wphphr6nIvA/w/dRf/0MKFT/wAaGYV5/B/K/wanTK/4pyfx/wanTK/6"
     "/8CV/wanTK/6/8CV/wWGWG/7AACM/w"},
    StoredTrees{2, 2, 3, 3,
     "XQP3X/VTKkkL//2wBoLgpyr8L//almRXq/AAPD/Vj30//vLDFcz/AETRH/qEBfyr/9lf2oDACcApX//dY2X/qAEyKP"
     "/9qwYF/ycq//P/GfZUG/q0q//P/pna9mvq0q//P/"},
    StoredTrees{2, 2, 4, 0,
     "0PYF//y/H8at/YjylKr8r1Bf/gCBf8P1qarKcq78b2nQXjwHP8hZ97Pmi/D831faPUL8j8/UpSnRT/H8/WpfHoRfD8"
     "/Qpr/vCfP8"},
    StoredTrees{2, 2, 4, 1,
     "1ZP2//DyxR/wqlqtv+KQD8/wf2/2s8UJbKPwVA1BP9/Caw/wAafY/+qy/y/w/WX3VP/zgyPwP1D1quRQ/wvwf30F/+"
     "D8Cn/wXd/1D+CnSq/w/2p2rcryUCfw"},
    StoredTrees{2, 2, 4, 2,
     "/ahXD/8IFySv/r9YAVG6VwP/C/D2hphZx/yv8J/fWv9oA4SnEqw/Wg1/f/3jyQor/pVY9lL6/MIVR//RKE1X5/yoAq"
     "//a/2Yr5FQj/B/oDa3Vz6WiP8w//2g1Wj6pIF/F/"},
    StoredTrees{2, 2, 4, 3,
     "XVX/agDCSnJKlT8AGoadHfV3yn/Cn8/at9g//zPJcsq/8r91A0UnqVwz/xX8WgPVGv/vDyoKAv8BViPXb/lgyrFWP8"
     "r32vQVrq/wKAMb8r3WPRUbq1cm/wr8/00NaiXspwz/x78v2G9QaXqpxif/P8"},
    StoredTrees{2, 3, 0, 3,
     "2p3rnLz8/wAUPcJysL/w09TqysLC/wdXX/iVVq/wkWnDcPC8/w9AblKsCQ/wb0XJBQol/wbUXJhYpR/waUXJhYpV/w"
     "bUXJhYpV/w"},
    StoredTrees{2, 3, 0, 4,
     "/cFuXKgKwr/wRVq+AQL8WqzwhVnejIyDIM7wPa9f/KQqD8/wQ9D+qKPAkC7wb1Ksznx/FX3waRK9xKpVGo3w1FocrP"
     "MqyTzw2vaOvJwqBD7wZ1K+xynKsVzw"},
    StoredTrees{2, 3, 1, 2,
     "Wdn7nPxp/wtbW6wKDy/wAQH3CwfL/wb2//JCgs/wWdownHxp/w2hA4MiKY/wUNrwwcpS/w2hY5FSpV/wWtV5ylVq/w"
     "lb35QvMJ/w"},
    StoredTrees{2, 3, 1, 3,
     "kG0XqyXKsL/wVXazAnB8EV/wDQPf/wzPM8/walq/hBEoiV/w2vaPjAuCpy/wYTRrqSLFcq/wdrWflCoV2r/wa1q/hc"
     "HwnB/walq/RCGIlB/walq/xLGInJ/w"},
    StoredTrees{2, 3, 1, 4,
     "v1b9//KkK8j8/wBVmtuqQC8q8Q7wUB0P+XCoiMwM3wWm2m+PMDVVaq7w2r2rMwnw/wnwzwaQSW+rAoH8L87wBgBpep"
     "yqhlyq7w2jVA9vyVCqxD7wUP32+3z8CoIl3w9rdX+qBDKDwC7w"},
    StoredTrees{2, 3, 2, 1,
     "Tdt+8JRs/w/a0+YvKC/w1jb8CQoh/wAEN+8pDw/w29T9MgMb/w9TbekPyF/wrfUOJysz/w1jeuPCoV/w1jceMCR8/w"
     "dvT/wFVq/w"},
    StoredTrees{2, 3, 2, 2,
     "ff1j6AQKJY/wWDY//Unyki/wpWta6nL8gw/w9r2gwJwrAc/wA0Bf7AQCPM/w1tX/6CQLAb/wVX1V68ikGk/wVr2P7w"
     "BQWK/wVr1f1AoImh/warcvyAMB0q/w"},
    StoredTrees{2, 3, 2, 3,
     "Vl9qDgJwKwal/wAUQ3XV8qQV8q/wvVrVrqnKvInI/w2qGA/zxsycSs/wZ9Vv/rCTCiCz/w1D1o/vQF8qGC/wZq9Z/l"
     "KqKzVV/wRq9h/FKqVMaJ/w9qJx/VKqCzcp/w1qlx/VKqCzcp/w"},
    StoredTrees{2, 3, 3, 0,
     "V/2PwUpQ/w01iXPBcr/wfYX/QvOF/wa2urMBh8/w1hY/MyLy/wRb0DiAUK/wEBGfHDz8/wmXWPByqQ/wTd9//ID8/w"
     "1R2/Ijwp/w"},
    StoredTrees{2, 3, 3, 1,
     "fdFv/ADBVK/wAAQbdnK8vy/wq2pauJgvA8/w1X9g8AcK5l/wX33f+cnymb/w9tW1+/BXP8/wVb9cOyxVGq/w9oEA9C"
     "oqiB/w9kEQ9CoqiB/w9kEQ9CoqiB/w"},
    StoredTrees{2, 3, 3, 2,
     "/0A2i5pypynw/wWaVY//AIAU8r/wVa/aB4PMEcal/wAVGaXw/IUF/K/wVrdqf78n8rPK/wpFpFr6UB/KgF/wag/RM1"
     "MKcCYi/w9Z/aD5CSClBK/wffSf/6xAjwi8/waX/Vs1sJsqVU/w"},
    StoredTrees{2, 3, 3, 3,
     "AADRpHqVAvwX8q/wVav2D/PwLFBxis/wVVf2oDgCcArBZV/wVr/Y//qBww8Ivz/wr0aBGvqomKKj/z/wX2ttpXh/BQ"
     "ypFI/w20xrU/V8KjKj/z/wdd/2YPqBAAliK8/w/2g1pLhRSkcj/D/w/Q00D/30ZvKv/z/w"},
    StoredTrees{2, 3, 4, 0,
     "atq6rBAEH8vw/U9f/fL8Jx/wZX/YDylKmUPw0PUFf/ypA8fwn2jQ/gyAAF/wo1EZfKQqyr/wXWfaPgAgvyPwb//YHK"
     "sRWqPwPSqZHPwpCoPwhaVq/FD/P8/w"},
    StoredTrees{2, 3, 4, 1,
     "/0f3Td/yrwVQ/w/1qtquKcK8D8vwZW/3A8wJUFZKPwABqBV+fA/C/xfwql/1AOCnCrKm/w/9/2//FDPzED/wVa/YW+"
     "/wfQb8fwXd/1j+jCSEaq/w/1A2/8DFyKih/w/X1Vt+LyhAXy/w"},
    StoredTrees{2, 3, 4, 2,
     "raaWGv6/AKQT8o/wfWv9oAwCnEqxDE/wr9YBVG6RQv/AFWvwABf0fb7/QRkr/APwV239r//AJwCsVT/w/0Fp3/1Xyv"
     "8FAKfwmmp1z/7/AwUIvw/wrbY3WL6pMP/C/wfw/1Q9o/4CgIEDKx/wVdv9ZV6/wJVBqsPw"},
    StoredTrees{2, 3, 4, 3,
     "D92gUa8qpAqsFfyqQATY//bQsdCipUQWqKAAABAaNVUl/ymFKv8CQAGtBX0/8vAwoASMqMwA/2j/WiYjpwmvwZfKgA"
     "/2pNQEs20Jf8qxVVAAQav9aisoxUxPzGqnQAP1S/acgBxXHKscqygAralNgUsqVwD/EoByQApTWPZUMq/MOlyv/AgA"},
    StoredTrees{2, 4, 1, 3,
     "9WafjcBwPKsD/B0FfrBwHA8xn8VrXfrIkyVVar+WvazAnC8PwWz99Q1rqgSBIEyr82qYfVCogirAr8d3a3owPIciaf"
     "8kHQfqCIwzKsH+2vaPjwBcPwXz/bRt//CoACqYL8"},
    StoredTrees{2, 4, 1, 4,
     "Wd2pdVyqMhIqGQ3wUA0D+oiMoMsFcq7g2rGo+jCAHwJQD87w9XtVuqwjPy/y/w7QA2D1//CXyWSXyr/AWv1q+rI8Ir"
     "Mr8F7An12t+vBMBMj8ymzgQN2vMLHxPxVVaqzwVhV1+fcoc88qlx3wZjZ3+qAiHwPwao7w"},
    StoredTrees{2, 4, 2, 1,
     "V1b8UlLyW/wvfUOJCgokf0Gtj/AwMT8vw9hW+yMhIxv4QGN+8KCgcvwWvSuATFVavwXfUOnFz8V/8rY3+JCgoDP09/"
     "UtMiQofP42zceMDQqA/8"},
    StoredTrees{2, 4, 2, 2,
     "dr1P7JAoFcaz/QH2q6YFyfKcP8WnYf7nKUvzWH9Wr2vwCwLAlar+902f/AcBwHCv8r30Q6BAoCgvH9PWFX6wDAKE8n"
     "8YfR/7AoAwDYb89Ztl68AMIwTD/9j3Q1IokCgFj+"},
    StoredTrees{2, 4, 2, 3,
     "AAoZrqcEck8r8K/AVq9oPiJCKBJVaq/wffTa/vQcScyUSs/AvVZVfq8jhCrylZ/wat9r/DywywUsYE/AV9Vv/rkKnA"
     "vCWD/w/991HVMqKCKCTy/Qpp9hPqIAJIKIJg/g9VNqDsDJBBTK/B/w2r2A/yAoBjD9Cq/g"},
    StoredTrees{2, 4, 3, 1,
     "Vb9auLC8lVar8VrWP/QJC/LZv9ABY1e/CkKS/D8309T+BwHA8xn/dX9gOyTKEoXz9/UJZ+MEySiDD8Ud1v8kJQPyab"
     "8v2jf+kIQTKMD8q39Q+AsBwqgX+2s9w9AIJC8Gf+"},
    StoredTrees{2, 4, 3, 2,
     "/VBa/6oEkE8rMh/AAAWGV4XBVJ/K/C/AVpdh/7BDBzDzZl/wRV/aDwAcCsClaq/Q/0o1r6sq8stYn8/godiRi6/CpC"
     "pCvx/ARa/dD1CKLAVQas/AWr3D//8qiMtYv8/Af2WWX4/BBRjyRm/QXa/YA6CwCQisWb/g"},
    StoredTrees{2, 4, 3, 3,
     "/1wFYLqXJFgT8oVbPwVq9WP/zwnMJzysMDPwdRP2sDiCIQkEKKaiP4AEVjVXV/KiwAsC/Mvwb9f1W/qoAqAJRFaqvw"
     "v2adn3qVy1Yn/KiWf8WXdW//vMCPCPwTao/wXb/2oPAAcArAKwWZP0pqbYGvq8oAAQMIBjP4/ag2BPo8SwsWlK/yf8"},
    StoredTrees{2, 4, 4, 1,
     "q9/1iOzyykioiVvgAAVDVd/yhypS/wfAVa/Y//SBfF/Kab/Q/2D1g+AcAcA8X8PwX9/1quKwKoVUapvgqFqtv+FQFQ"
     "PwA8/A3302/8PKBIBF/K/gql/1w+gCCsCoA8PQ2Gv1j+CkCoKsQ8/QT1/1CuCLCjCrZWvA"},
    StoredTrees{2, 4, 4, 2,
     "AABpo/AXzF8z/N/ykAr9aDWmKpcqXK/yhZcEWv9d//PACACAAnYK8A/3T90AJCigpAK0APEI/9z2YrK/J/wf9LnwoI"
     "RRf9oHEDyArBVcarEM/2k1BZK/wA/yv8lWYEraU1FDK1ANRz88BbIMAAP9oDIAEAqAFCD8AArTY0WJK/Qf0n9KAwEA"},
    StoredTrees{2, 4, 4, 3,
     "/2o/dAXUDykKRQqKJbA+AACtGa/qXyRfJP8p/wr8Xav9g//zACwAywBXQKv/pXWPZYbqpQKlAP/AhWy82lUdaj/oy8"
     "jKzEUM/8X+/9QA3Svp/Co8gTwCFTK8aqv/aADACnAKsFVwapf8f2tFWv/vAJfAFUCqXAP+pd2NUUvq/wAq8v/yhZU9"
     "r9FaUVvq/wAqcKfw//B/"},
    StoredTrees{3, 0, 0, 3,
     "FxdrwP8vLy9//8KigA1f8AUFf6v81tbW6/8bUVK1f8bUVK1f8bUVK1f8bUVK1f8bUVK1f8"},
    StoredTrees{3, 0, 0, 4,
     "KD/Nq4/PJcKgA///AfRL96/vvyHGowPP2ra1f6rvVNpln6/vKppEr1XfaNEUr6nvY1D0r3DPYFAUq3HP"},
    StoredTrees{3, 0, 1, 2,
     "wAaZev8TG9v//8CsAA9f8RdXaMf8tbX1uv8X1la+P8ZUlK9f8ZUlK9f8ZUlK9f8ZUlK9f8"},
    StoredTrees{3, 0, 1, 3,
     "AAABowMAUbVtmioACpANwBUAbxqWBzMANHU9fywAADNAEysAAC0bdyoAAADEvy8ApVaVByoAwNAP9SoA"},
    StoredTrees{3, 0, 1, 4,
     "xXVUWp8DzwyqFAH8eV3wb8apUB+zzwgBz1iluq7wNq9qdV+v7wSpUr2DNwzwCqasVE/M/wW8WrVq+f3wC8kc0f8r7w"
     "CqQrZA+D/w"},
    StoredTrees{3, 0, 2, 1,
     "ADGB/v8Vfb2DP88ggIXf8W1vb//896Wtnv8rf0FLv8bUVK/f8bUVK/f8bUVK/f8bUVK/f8"},
    StoredTrees{3, 0, 2, 2,
     "Gxb1v///8oAAAXX/rWta1vr/VXWfaDn/Qt2la/D/Uj9SVLr/aFFUq/n/ZVKUq/X/ZVKUq/X/ZVKUq/X/"},
    StoredTrees{3, 0, 2, 3,
     "XT/WPWLo/wM8RfRp/T/w8qGkFMPl/wYVUq9DDw/w8oohoxXq/wBV9qRv/P/wmFm12Fvq/wYvRMSs/K/warRySs/K/w"
     "arRySs/K/w"},
    StoredTrees{3, 0, 2, 4,
     "AvFq9YF/n988qjfwn8fpe8ZVVav1fDqO8G/JVxWp/A88sAYPW9Fnqu8Xav2oFqLoO8MrSClSB/s888o2qhWC/z88Yq"
     "lihUA/gP8Yq0UBKq/cc8"},
    StoredTrees{3, 0, 3, 0,
     "Ba19o/81vb2//8/IAJV/8W1tbq/8YFyhD/8tAQMi/89AQMC/89AQMC/89AQMC/89AQMC/8"},
    StoredTrees{3, 0, 3, 1,
     "qWpf1M7/fNW/bn7//G8aBR7/RlVdW///VL1g2Z3/PKBAm/z/mI/atG7/YBAko/7/a1FUp/7/alFUq/3/"},
    StoredTrees{3, 0, 3, 2,
     "VV9a/aYw/wqBq1q1g6/wBsVvVv///w/KDKACV1/wYKQQSo/y/wF0/1/VG6/wZTSqSo/y/waqSqSo/y/waqSqSo/y/w"
     "aqSqSo/y/w"},
    StoredTrees{3, 0, 3, 3,
     "AKkax2M//P8V1f9WrVm6v8WVdWr9qAwP8rKaAGkx/6v8afHK9bP/3/8/KjygBgX8v8/Kv9Q9cJ5f8Vo/ZcFmL6P8PB"
     "NjedV/6v8aqnKJbK/yv8"},
    StoredTrees{3, 0, 3, 4,
     "gKpqoEWE/8z/tgHW9ZUVv6rvaVVZq/2DA7DPGvxaVVWp/wPP/KoggCj8/6nvXKr/bAFqL5XP/LyGrEYH/1/fWKrUq/"
     "1DC4H//KsAKAtCV7DPF2r/av1vG6zv"},
    StoredTrees{3, 0, 4, 0,
     "Wta1jq+//z/KAVd/Y1av9////SlAWr//oD9qlA8/ZVfVpqu/jxAP1r//b1av9Vc/Goav9sM/UZdq1q+/"},
    StoredTrees{3, 0, 4, 1,
     "ryDwAAi9fwBYlZFZ/+/wqlqlr1AOPw1xP2/2Gcfw/xoNqVU+Pw0Tf3T3///wRN/dv1a+vwpyr9/9huvw3zP3qlFevw"
     "1zn9PVS+fw"},
    StoredTrees{3, 0, 4, 2,
     "bwP3X/VY+r8AbFGtVj///8/yj8KgCG9X8qgap2qRA+j8ryoRIPaNeD81VT9ovSGOz8ZN3/f93i+n83yj9gfcJez83y"
     "j9QvYFc78pyt/a/VBur8"},
    StoredTrees{3, 0, 4, 3,
     "/yoAVI9qg8C/AbzVq1WD/9//VUP/dapll+q//yiqwa9xTOo/pCqP3I3ci+V/qtkPXYNRi+o/2Sj/KiBAL/D/ZxX9aq"
     "tZYeo/1yp/2v9aFuC/fyt/Pf0Bl+p/"},
    StoredTrees{3, 0, 4, 4,
     "Vdg/9RD99FuqrwWCX2gqFQA/+zzwWmq1VV/2qA8ADwHb8favbYP/9f3w/yqrz1oH1n+q7w/yqAasDX8V+lbwlyq/9M"
     "qlpmeqbwAxc1Cr/WD//D/wpwN/9pD1BJOqbwUZV/2qD1VG+qLw"},
    StoredTrees{3, 1, 0, 3,
     "b2towyX/29TW6iL/ACoA3Sr/dXV3/7z/jY2d5yr/2lZX5Cv/ZUlJ4sX/YUFJ8in/ZUlJ8lX/ZUlJ8lX/"},
    StoredTrees{3, 1, 0, 4,
     "lW/b96vMu8ABpkG6Uqu82hato4O/N8T9PWpwMh88YND0r6Ao+8P0qQB1cq981fVFX6crO8aFEUp6JQe8aZF0k/9U/8"
     "aFEUv6oqe8"},
    StoredTrees{3, 1, 1, 2,
     "21rY8xz/gYG1uoj/bW9a9Mn/ACkBfcr/9jZm+zP/Wlhf/8X/adHRMlX/adER8iX/adERslX/adERslX/"},
    StoredTrees{3, 1, 1, 3,
     "EDa1g9XKv8hWNZVuqIv82vWNrMDF/8Y1j2W+cKf8No2jY+nKv83dfV9+cfP8aPQZK/9Kf8afSZKeBxf8afSZK8glf8"
     "PUpQFenKv8"},
    StoredTrees{3, 1, 1, 4,
     "b/avb9//L8/w1p1plpuqyi7wmln9Wp8DFczwQdQf2f+vCB7w1D9AdX+3Ss3wA9KpABdlyq7wap2jEAOjxD7wag0DFq"
     "+rSo7wVmdm1XOUio/wdfV01n+PMUzw"},
    StoredTrees{3, 1, 2, 1,
     "QEdaffL/X331rlz/oaWt/iv/9vZ3TvH/21jXPsj/PSkBnvP/YUFK/1H/V9fUPpT/2Vn2PCz/ZUlK/FX/"},
    StoredTrees{3, 1, 2, 2,
     "oGga1/oy/8RpGPaHxyv82taVh//LP8XT9vWrqcP8AAqQNfXyv89X2vYDIlf8a1H0r/Jcv8Z9Kko/Jcv8Z9Kko/Jcv8"
     "Z9Kko/Jcv8"},
    StoredTrees{3, 1, 2, 3,
     "1q1o9ADsJk/wAEK2Y3Xr8q/wvZvZjZrqnA/wa9afRv/Pyr/wQBQB91/Vcq/wWf2rWA/zMc/wP9GpFqvw8x/wY9aqTC"
     "/IUS/wY9aqTC/IUS/wY9aqTC/IUS/w"},
    StoredTrees{3, 1, 3, 0,
     "1valD3L/ABoYV/z/a0d3nyv/rY3dv7H/fWlhq1z/09BWn7z/9qVNo0X/ZUlK/8X/ZUlK/1X/ZUlK/1X/"},
    StoredTrees{3, 1, 3, 1,
     "AU9Q2q78f82u2rUv4CP8Wta1j178/8X1/VN/4U/8/YFj2DzxP8qGoX1068v8Fo2KRf78v8Q/T1Z//8v82ifb1z1Iv8"
     "3bff1D4rP8"},
    StoredTrees{3, 1, 3, 2,
     "/aBUvZw6yV/wQDUAWaWw/K/w2XUrVv//Qs/wpFr1o1a6/K/w2qUt/VP6Iy/wWP29mF/5PK/wX2/2DWC6lI/wVq9o9T"
     "D28L/wdD/aDUp6fK/wGoEqEdP5/K/w"},
    StoredTrees{3, 1, 3, 3,
     "r9drWY136ryj/2q1qJ1v/zwIz/9Vf2pJg38nyX/BAP9qvRW6vwL/0BdAX93B1iyj/ardq82Gr6msz/P0IZG9Zg6sir"
     "/NpSaoFB/8vxT/WatlCZqf8PHP/VFf9WBVi7ZSr/"},
    StoredTrees{3, 1, 4, 0,
     "RVPZFv8l/8GAalotf/P8vapUV/+TP833RV9o/8T8rX9T1X//H8ABq2jqs/L80HUadDNPH8ataFrv8Mv81MdNWt8vP8"
     "E2Rqls8qD8"},
    StoredTrees{3, 1, 4, 1,
     "/2R31X39fy/w/3K9KBquBcvw/0qt/1AOiiPwVafY/Vf+bI/w/2/2w2/8EX/wA9GpGh/e/zfwqhmhm9v+zx/w/9lalY"
     "V+/zfwD1IWqVN+/x/waHQHTV///y/w"},
    StoredTrees{3, 1, 4, 2,
     "/2oVT/aAMC8x/AVqPWkF/+gHP/qgaoH/dD9Qoo/Ua32v9jq+myR/D9P/WqVGef8q/VVP/YP2Kupci/ZVf9pNY//38n"
     "/PVR/0dBd+f8r/oHYR1NVQ+vxO/oEY/VB1S+vwp/"},
    StoredTrees{3, 1, 4, 3,
     "P1SHar9owDHKcoAWgNa3FUf/x8LK8AAaj/2gDaKir//IAqGmo9ao1KiUPKkAgWqjdf91LyogscAAakdqR1CdzL/FMA"
     "/9D/0z1dKykVKoApA2FDY9diSqPIYA//X916GVoyq/yoA/2r/VA9qnwx/DAA"},
    StoredTrees{3, 2, 0, 3,
     "Nb1p8zwg/wGlrU6sLC/wT0Z9/ysL/wYWljyFVq/wvfU11yi8/wa09JyopV/w09Bb4ygg/waGpm5ypo/w/a2B56QM/w"
     "9xZX5Sos/w"},
    StoredTrees{3, 2, 0, 4,
     "BZFtd68/Cr7w/Q9mmwcqL8zwalL2N6uAFT7wBCkY1/8qjw/wWtalo6pVWq7w/XdVX5Qq8h3wX9/Wp6MQiF7walqlA6"
     "rIcqzw0fRB17Uqig3wv39T13cq/y3w"},
    StoredTrees{3, 2, 1, 2,
     "b29v/yws/wgYG1usXK/w2hrUObKy/wPSkBdcrD/wdHbXuEhC/wWtBW+hdr/w2hEZMSpV/w2hERNSpZ/w2hERNSpZ/w"
     "2hERNSpZ/w"},
    StoredTrees{3, 2, 1, 3,
     "Wna5o8FcmV/wNo1jW+rBcq/w3ffd9/8LB8/wgWBZluqCoi/wa1h2L/Ikyi/wAAqQBeXKsA/w1MYNbNBKMT/wapynI+"
     "LwjC/wapynI+Lwiy/wapynI+Lwiy/w"},
    StoredTrees{3, 2, 1, 4,
     "0DWA1rOAyoMCzwX23330//JUn8/w9rZqZv+lypyq7wWt0v2m+rFCaC7wlV9dtVuqck887wAAKhAFelyVyq7wD9j12r"
     "8AiAwlzwhdmpVh+rj8xT7waPRVSp9RCqKi3wY9QXSq+yAryy3w"},
    StoredTrees{3, 2, 2, 1,
     "T1rY/wUK/wra2Nrqy8/wAAH3DgPy/w1vYW/Asn/wa2tjXfJI/wfWn2PlVq/w9tUVPSpZ/wRtUVPSrJ/wRtUVPSrJ/w"
     "2tQVPSrJ/w"},
    StoredTrees{3, 2, 2, 2,
     "AQBp1/owPM/w9rWHa/8Jwp/wV990U/qcLy/waBoWNXXygI/wrWlfVDoiSK/wWX2wWrpUGk/wWVWda/MMCc/wdrXxaP"
     "AjHK/wV/a1j/oogL/wdrWhUPsqxS/w"},
    StoredTrees{3, 2, 2, 3,
     "9VxpV3/WArJV/wPRaRYZXp8q8L/wVt1K9oDoJCay/wYAffTf/vQd8q/wV/Z2dm/rXM/M/wm1mlmFfq8kgo/w1qNUJq"
     "PwAwCr/wGqNqBgP2yVyq/wA9AVNqrqkK8V/w0NNFJpDFMKEj/w"},
    StoredTrees{3, 2, 3, 0,
     "a1ZXnzwD/w/WlhqyNV/wABpYl/z8/w1vTWf/xF/wrYF1vwUq/wGnd9g8nK/wbUVK/3Ly/wPT0Fvxj8/w21iVHzwg/w"
     "YUFK/4yM/w"},
    StoredTrees{3, 2, 3, 1,
     "1ZV13f780W/wqGpa1q4sQC/wAEQf2A4c/x/wVp2PZv73D8/w/VNv2DzJMo/wVdfdNv5wfK/w0Ba1hV18vw/wGrWhQ/"
     "88yD/w239Ql/6Mog/w2c9ynH4ilU/w"},
    StoredTrees{3, 2, 3, 2,
     "X0/2A2i6pwvw/wAAGhGNW1/K/C/wffRfZb///IZc/wUN9V/aA8ScSl/w9rtpphr68n8r/woNoBdZ/6CCLH/w1aPcCb"
     "BzHLPD/w2XmZ1VP6/JAK/w2nPaDcP7DDCX/w39PZBSC3MrGT/w"},
    StoredTrees{3, 2, 3, 3,
     "fQEEH91/1cypJC/wX2lppYQV6vwADw/w9o3av2Ar8NKv/z/w/2z9gAaC4Kcq/C/wAPRBW9q/zFCX8q/w/V/2oNw/6A"
     "BMin/wVr1c99P/7ywxXM/w/XXGX9qA4gnAKR/wGapnRVVf6nKv/z/woNaaWvVr6tKv/z/w"},
    StoredTrees{3, 2, 4, 0,
     "rVNb9D/Kcq/wAAatoUf/P8fwatq2jqshCovwvallW9+fL8/wX1Qb9v8AxH/wlX9T1/88hx/w1HfZFrcpIc/w0PYBNG"
     "O/L8vw0DfalgcFE8Pwr2qU9o9QPyPw"},
    StoredTrees{3, 2, 4, 1,
     "XbUa/Yd9/ygQ/wlWv1wGquKwFEvwAAWrWj9eny/w/wqV/1D1o+IAAcPw3dP9qN/+fJ/K/w/2gV/1AOykSoPwVafY1V"
     "/+Dcb8/wEBFB12F8Py/xfw3WP2ym//DCCj/wqlql/1A+BD/yPw"},
    StoredTrees{3, 2, 4, 2,
     "QakGv9jr+qARgo/wAAKj2qF1eV8n/Kfw31f9kNa/8DwwlK/wf10Nb/WBukXJfxvwWm1ppVY//wAsKT/wlQdUFfdUNf"
     "8qAAPwr9Y/WA1R+lSr/8vwP2j1StZk+nwD/F/wrbU21NVS+lcL/wfw/1a1m/Vz+opCKs/w"},
    StoredTrees{3, 2, 4, 3,
     "ValVxf9qKOhFzF/JfwWmFaUdVd/+0/KgBA/wUFB/2kAWS+r/JS8qfw/1UNaj9oA8KKcMqUPwEAQYBtp2Fdb/Kf8Cfw"
     "oPWPdYDVhuqnCL/Mvw/av9930H/+QDBwor/w/Wr/UA1s/+88iiXA/wD92j3a/Vo+pdIP8wPwvaqFqo2AS/JcFPyrfw"},
    StoredTrees{3, 3, 0, 3,
     "AD1qA3Dw/AAGtoYKsnKwgAHWtDAAcrFQA9AY2BSoAKgA19SVL5y8vAAZ1VpEyJVagAkZHdKyhQ8AAAD1JP0D8/AAAI"
     "VlKQEhygAPfUFBygAAwA"},
    StoredTrees{3, 3, 0, 4,
     "Y1j0U1Qq1CYXfv1qWB/+fL8vz/1PUNV6olCoCvva99GtytAPwVzPWtalo4PKMByrPDapY96sEQqILvTdBGrwA8iiTP"
     "v/QdmmycqC8CrPrX9T16UqioKjvalFUr7MKAXavP"},
    StoredTrees{3, 3, 1, 2,
     "dHZm+8mKQv82tAd/yQsXP8gYG1usKMiP8b29a8Jy8a/8PSkBdcrNyv81dvYOHDycP8WlHRsaJUaf82hESMSILUf8Gt"
     "NT8TIzJ/8WlBa+Bcpav8"},
    StoredTrees{3, 3, 1, 3,
     "2vdF9/8DA8Hz/gWBbVuqCYKiD/b1n1r9DI/yCH/VD0WZ+XKglyr/VXaxoNEUryZX/Nomga+gJwrzP/D0qdDOiDMEwr"
     "/WpWdp+FwfCcH/WpWdp8EkSiLH/WpWdpdHMVSaH/"},
    StoredTrees{3, 3, 1, 4,
     "1X9Utduqcp8qBC7wqtn9b9+rJ8K8j87wAAKqQD//Ccigwo/wWv1fWk9vyEVMalzw9oZpRh+VyqAUCo3wZUWnWo/DHy"
     "PzJS/wQBQD1q+/AUD8yr3wdj9q1fOogcwk8M7w33Wk2qcqyECqVA7wH2G1Gl8/wrApyqzw"},
    StoredTrees{3, 3, 2, 1,
     "dXX2DCMXaf8aGtjXfIwCP8TX1N/oDByv81xocPiigcv8AQG1rnDy8v81vbV/hw8J/8paX1PhQovP8WvUW/8lKXP82h"
     "QbPyoycv82xcbPyoycv8"},
    StoredTrees{3, 3, 2, 2,
     "rW9YVfrEgmyv/Wta1j/qQLyvD/dr2DaPALEsSr/YBoWNXXygBAr/AUGZa/8iwD8X/U3Tx1/tCPMcz/aZxvWrr86SaL"
     "/2d2vcDokChUr/9mmdR/oBAoJz/V3dXV/sCRKYv/"},
    StoredTrees{3, 3, 2, 3,
     "dvZfVv/qsAjAhw/wrVvdjZ/qCSCjCj/wQXaXY3Xl8qsl8q/wFVlp9rDAJyKwEV/wdq9qFR/fwsScSr/wWo2rmA/xIl"
     "MqIC/w1rFk1r/qQJUK/D/wARAR/Z/bUY8Q8s/wVBaB9qrq8rJCaC/w13N2F2PqHMPKDD/w"},
    StoredTrees{3, 3, 3, 0,
     "WFN9jwMFSv8ABrQX/yY/P81vY2vwDA8v8taWNvyQrlf8a2pjqzwEK/8fU39g8lKVf8ZUlK/3LyRf801CZF/wILP8ZU"
     "lK/5g8Bf8ZUlK/6L8Jf8"},
    StoredTrees{3, 3, 3, 1,
     "AA2gQDGQhw/IAfbRf2wDJEoRUAgEPVB/JwfJMoAqH9QFqInC8DwA/VBtnVL8IykwABpEPY/PCcKyoAA2of1AIKwnCs"
     "AADa1D3I8AQ/wAgEAa9/IcDzLMAUPd7V/EqkAYAA"},
    StoredTrees{3, 3, 3, 2,
     "AAP2A2SJXB/K/AAA/aVQ/aAACsycylAAphdp9h/KByDwLzAAZN/ZfT/P8nQqS8AAAAGhWNVF/KHJ/KAAWD1Pda/KoA"
     "/CgCAAAAo1pVrK9ApE/MAAAAW1VFfJ/RBx/yAAD0/VDVHKMA8X8qAAPQQa/QDIAUCoFQAA"},
    StoredTrees{3, 3, 3, 3,
     "9VK2n9RA6giEBKSlP8fb1l9Vv/788xGM/zP8AASAGmZr6lQL8F/Kv8pdf9WDVi6qUCvAv8P80av2oN0/1wCsCXIq/8"
     "VXdal9qRwPzBMwQUf89o3an1B/8fCrwQ/IP8fakUj9yD4AUhKKVcP8/2xpoYWX6vwSUo/Av82AxLYcVP6QJkCqy8P8"},
    StoredTrees{3, 3, 4, 0,
     "ABalolc/BUKh/hb9iG//AUB/L/r1Bb9A+DMFyo/fV9f9j/KUqZX/jWvYFqsVL8Py/atq2jr8hAMwz/0PUNWf//Bc/x"
     "/XVfZ1r98vyhL/1VdatgMAwBRI//Ydb1q8pCrFO/"},
    StoredTrees{3, 3, 4, 1,
     "f3T91Nv+KcD8as/wAAKB/2IcAzoC/wPwVa/YvWg+fC/J/K/wvWrWq1quFwPwEcvwUA2rWjV+/whYv8fw/dK1/2A+Ck"
     "CrVxvwf3QE/0//BJCKCn/waa/0AUG9vSVSbzPw/9papYt+DyKygCfwqtql/1DOyAhEyoPw"},
    StoredTrees{3, 3, 4, 2,
     "/2UVr9Ug+vwg8kLKb8ADRg1a1V+v8BdC/wH8f2kBT/aAsApxKsQSL8Xa32tVj//wCcArCg/8paY/WAFieqcKvwv/H8"
     "Whtr2dNv8V83/BQyv8/UKdGnZbev8ErKVEv81Zz9k/dANQAqIcypL8X9/9YPWp+qwClwb8D8r9UHVPVRulXL/w/8L8"},
    StoredTrees{3, 3, 4, 3,
     "rfWHdY1li+r8ADwUJKk/AAQY9VoV1uX/BV0F/yq/VVf/aj9oC+EKcUqyVVc/WtpaGlWa/+8AlwCrCgv/r9GBGY9Rhu"
     "rVwr/Cv/G/aat9q/3Da/P/GSoq//N/XQBdAf11RdVXKv8SgCJ//00Eav9tAMUHKglKioW/h/2v3aDZreqnBKXMv8z/"
     "/2o/VA1qi+yHDK/M/8d/"},
    StoredTrees{3, 4, 1, 3,
     "2sWNrNCIJw/JYP8ACAbZ+UKgDAMCvwt32RVupwnC8KWf89U3WV+cHBcLwvP8WdZtm+ooSBVFqv4a3d99+/C0Lwpx/w"
     "10alS/8NAkDQKPwdrW9YerKMwiRqPwP0qUD+sIABArMfwb9r1q8AcLwvBnP0"},
    StoredTrees{3, 4, 1, 4,
     "Wq2lGqMKHzPyJXCr7A1W9XNd+rcCcC8D8G7wP9KpQD//CUCUCXyr/AhVj1b1+vB8x8j8xT7A0D0A2rdAyAoAsxUqzg"
     "apSS2m+qIpApVVaq7gV091mp+VCqIjEiIs3A2t1PFouqyDMxMqmV7w/1G103+oCg3w/wHx7wb/Z3Wq+LCgHwKgb87w"
     "9rVq1POoiwvw/yVw7Q"},
    StoredTrees{3, 4, 2, 1,
     "1RX1PicrKxn9AGtjXvDwoPL89RXVPgkJCrH+3TUlrrCM/Fb/Nq2N/hAQPDz8YVpY/yKgUGP8oUH1DkBC8gD8VvYW/M"
     "LJVWr81fX1PjwlKkb+29iW/QIrKxv9"},
    StoredTrees{3, 4, 2, 2,
     "aVpWFfrBAEASKfw9oWPaPAjCcKwWP4YT9j2LpwmC8L8vwQVjfdXXyjIkxy/wWnQdh/sQxDPMYfwr1oWNfrwRBErwPw"
     "W/a1T/vMMwSxjP8vWJfVDokyhKIRv0FA9oVrqyIAoDwvwWr2hQ/+KogVVqv4"},
    StoredTrees{3, 4, 2, 3,
     "93ZXZXfq8EgEsoRg/A2X2r2A/zycycycys/gfdRR9VPqByKyKyWb/QQAa1UVXl8qcF8q/K/ArdvZjZrqnAnIvIvB/w"
     "WtVPVq/AAwAwMjGC/gVa9adf/vMLAjVVaq/ABp9xF1/XcqYA8i8x/A0HUU93fowKIAoC8A/A9dBp9TDqIhJBKKAE/g"},
    StoredTrees{3, 4, 3, 1,
     "AA/QBrKQhAPD8AAD3Qf1DLJcpyrMQEZ/2vY/NyHI8NmwIqGkadtIkCSLIAgAAD9Q1qI8A8Kj/AMABa1jUH8owjD8gA"
     "/YBf1BIMwnCuVQIAX9SFDIAQBArBgAFr0AQPIHAcDwbAMfX1v2AAqgMVVqgI"},
    StoredTrees{3, 4, 3, 2,
     "31P1A1C6pApQrwlZ/QAAWtWNV1/KXI/J/K/Ad9/aDaPwwMwMccan/gWqUa/cj6iQiiVybx/Q2tFpFh//MLADMHMp/A"
     "2bETPWL7AiMjMzFb/wVr9j9br68EAEAohg/A1GNGrVU6UJUB/KWG/A/aAQPSD4AwCwCg/z/Qr1oF/VD6AKCQygz8/g"},
    StoredTrees{3, 4, 3, 3,
     "QA/ahVA/MPDPyz8k2KsAAAFp1Yd2KrwCtKpSv8AB/dAEb92DKwnIK8CtBWwBr0aFmvZpKvwUMlDKoBEAAABjV313JV"
     "ypcA/BfyoAdav0ANqQAPzAqwVcGqUCGndG81o/IwcAHMDzBswDAAD9GDdiLawr0A9APwAAAAP2o9wDFgCoJwCsP/AC"
     "BoPQH2P/L4JzAVwKsYAC"},
    StoredTrees{3, 4, 4, 1,
     "f2QV/2A8gCwyUVaqPAAAWrWj/eDwBQRQ/wfAVa/UDVj+CoKwKoQbPA/2FGFFN+fJfJ/KVW/AqpP9qNv+AMAMAJAK/g"
     "/9qp/1CuCnCrCrVZvQXW/0A0quKQvYr8a8vwAEVa1UX9/yhUj8/8fwWDWB/a//lwVQ/yaw/A/2KkP1BOzyikyqil/g"},
    StoredTrees{3, 4, 4, 2,
     "X/f9pEb//wAsAjEJ2Cn8ADaQWv1pulQFXJ/yv8q8ZWv9A/awMMpyKsSnGqj+r9YDWPVhuoXKFyj8oVW9Wof2r9hX+f"
     "8KvAlTWor8A9Fq1aN/9T8oHwRZP/x/f9v/YAWK+qCT8EpCJyC+paYVGNdi+vwgMcD/AWU/Wl9puddv+v8wv8KvGVv9"
     "/2g1r/YBeg8IKQhUM/A+"},
    StoredTrees{3, 4, 4, 3,
     "nam9gaWZr+qgwqDyoPKRsf0ABRatVo1WdX/Kl8h/zL/Mrwf31BVf9qA8AKcAqwVXBqsXwVWr/aA9qluCVCFXM/8xpb"
     "D8Wqvdq/1Dr/L8F/yX/Kt8i/wv92hXf9ZxOrPLcpJiorBWX4X9r/3QBdK+n8KgTADFQUqL8/3d/1k3WS+r8IIRwjPB"
     "MrD8/1Uaahdo/+8MjBwHFQo/xP4oAGEHY1Zh+pcJFwE/yn/Crw"},
    StoredTrees{4, 0, 0, 3,
     "1tbW1ur/vLy0dP/7KirAQNX/VVVVa8D3AwMXNevz2z1pfdv32z2Nicv72z0JScvz2z0JScvz2z0JScvz"},
    StoredTrees{4, 0, 0, 4,
     "gSBL0v3r+salKkDSvHNc2ra9q2rr+8PwqgQBDr+MGg/GvWbv/cKoggDQ/VdMFcVZVanA8sZ1K0DSvH9calKkDSv//c"
     "aNAUpSvquc"},
    StoredTrees{4, 0, 1, 2,
     "gYlNxbrzZVdm2jD/yjQUHHb3Fja1tfr/w8Nvb/vzPNzY1P/3CiEh0/n7irREfPb7irREfPb7irREfPb7"},
    StoredTrees{4, 0, 1, 3,
     "xfJ9Xml6vcypqGgWD8fsimwbB3G6v8fxt20db6/sjzHAYGrw/sFo2nfZX7/8Z1aVR2s6PcAAoSZW/6/sCoCEaRr5/M"
     "Cxr1MUz3/c"},
    StoredTrees{4, 0, 1, 4,
     "yqAiNBNB+D/wdD9T1Xl9uq7wP8Ksmo1v+f1wyqAoAAj8ep4wVU1VlVmp8DxwCooAUPVq+Hywg1b1T11VOq4wS/Yoai"
     "aj9B+wb8aoQMUE/P0wCpIpIB1D+wyw"},
    StoredTrees{4, 0, 2, 1,
     "UvQ2Jm33qamtrY7/MihYWPz7ofEBAS7zRUZXV//38N3VtV7329fX1jz3bUlB9Z7zZUpA9B3zZUpA9F3z"},
    StoredTrees{4, 0, 2, 2,
     "PwrHfV///c8igaB8EuvMWX2ta9psPcDSBZlmX+vs8rwwSDZefcYpKEA9AdPMl20Y1qWOvcWNdlGdb+P8ZdKUB9Nd/M"
     "ZVKkA9BdfM"},
    StoredTrees{4, 1, 1, 2,
     "2tuYWP8l9wY0hGdnr8/wASmtTXXK8wY2tjYfr8+wkZHVlbqQ9wWtRV2jhy9wDS0FGfPM+wBAaVtbnK9wdPa1dXr8/w"
     "NjUlV/rH8w"},
    StoredTrees{4, 1, 1, 3,
     "bdpkGYb6y8+wD0qbZmp88X9wAAoS1BX6cq8wNp32fd/5so9wWvd9kWT/1V9wgGAbZlm6sD/wD0rQ13X18r+w2NaFB1"
     "P6LC9wo2EYZ2oy/z8woGJYl2oy/z8w"},
    StoredTrees{4, 1, 1, 4,
     "aq2rEQFQOTCl1wa2T2S3Sn//L88w9r9o9ptpuqsi7wWtWvWN1F+vVV5wAAKhL1D1dVyq0wj9hdldWp8DBWxwYPQMT2"
     "am+rUH7wAWJWBV1XOkyr6wZVSqSqSv8/Sl0waDacYfY3+vSr6w"},
    StoredTrees{4, 1, 2, 1,
     "PSn1Vv/L9wACpjW37y+w2tSZ1b4w+w9fam9gwl9wV3dNRf6S/wDQ0hra7w+w9tdU1D589wASkpEX7w8woalhZV7y/w"
     "YENpUX3y/w"},
    StoredTrees{4, 1, 2, 2,
     "V9303Tb+xM/wDUrStGl+fK8w9X2mYVj/0V9wr3aZhVH+ow/wAWhfVlX+jL9wDQpiG9WuvK+wBpEGYZpcPK9w2ddlHV"
     "f+sj+wAAql9UX9cK+wZBIUN90MSK/w"},
    StoredTrees{4, 1, 2, 3,
     "Wq1DXQWY/qkc9wPaKaKabWbm8o8wgFo19l9VDqIg9wDUK1k1V1/Vwq/wVfffRfRf/vHM/w1q9olRtRrqVE9wGdFqFI"
     "Fq/A8x9wA0AGanUXfq8q+watWrWBVD/zyr+wDRKRIZ9XXm8o+w"},
    StoredTrees{4, 2, 1, 2,
     "BiYmBvsIzPM1VpYWPoIlPctbW1lbpy8v8b2pDY/8HK/MDU9dffUJyvc29jV2jic/PcACEFdXnKwPsbX1tWfEiV/sf3"
     "1N2bGilfMbX1N2bGiV/M"},
    StoredTrees{4, 2, 1, 3,
     "0NQFvWv4wiEL3NoGSZBl6UqwvzappmGYb6iSKH72ja9QWD1wqxT3apb113d9MFSr3hWNZ1tW6sJgL3PUvXdW3/0szz"
     "zAEoQ12cyIkyn7d1X1VWr4xzPH3aZ1XV1f73K8j/"},
    StoredTrees{4, 2, 1, 4,
     "EUaWYXYW+rIrKy6wWq2vVE1Euq8iVR5wN2L2J2B2//D8z88wj9hp99tpeqxWCq7wn1n9n9Wp+DcC8zxwYAQDT3T39H"
     "yliq0w2rWoWR2T8TwUio1wNpJ1BV1VOpSqyr6wR9d1V11n+olAaF5w0D2qNqRv+VyqwA1w"},
    StoredTrees{4, 2, 2, 1,
     "BA0pWX3y8PM9vb2lf6cfPc21haVv8CI/skfWNhT7ByvcYENrY27zAvsd9cU1L7IlPcV3RF9Q4nKf8PSkpPa5y8PMPS"
     "khdlzz8fsoa1hdW7z8/s"},
    StoredTrees{4, 2, 2, 2,
     "2X2vQ9oMCcKX3DQrStW19cK8zzXd1k21f+gnyv/9rVJVt2upwfD32qaFhVF+vCgz7V9303Tb+wAIz3oWtWFZVevMsj"
     "7dr2oY9j/8KVL3AEAWlUV9fK8D/AEoSNNn9WJ8r7"},
    StoredTrees{4, 2, 2, 3,
     "QDQBdp9pDCJwKw9wD0K1I1N1/lQq8o+warfaTZTf/rCMLM9w9p1q1QdQ/fwqRV9wYNZPWvVq/0AVCq+w2nGkkF1FPq"
     "HKvC8woBoRaVYVXq8lAq/wDaTbYaWafh8q8L+wPQK9K9pprqsA8y8w19VlVVdV/rMDHC9w"},
    StoredTrees{4, 3, 1, 2,
     "ZVtfVvlC8IT3BiYmR/kKwMLz21pYXP8kKBz3tbW1tbrCcvL/adfU2jicfGn3T2lhYfUKByr7QE9dXfkBAQr3PQENGX"
     "LFisf7ASFFWfILQ8P/WlRVWvgwkPz3"},
    StoredTrees{4, 3, 1, 3,
     "lW1aVnW6nI8Dwv82vb1EUT/wsBwrPcAEgQV2l1cqwHCvs1faNhWP6iQKCVPcb9rVNY364gBJIvsDQBmWdb6gFCrEP8"
     "NUvS1DX5wHCfK/MH1q0pWrwxwPAPPs9r23bVn6QCcjwPcVV9V12s4LQnB8fc"},
    StoredTrees{4, 3, 1, 4,
     "b/arYMUs+vQ888885w0XEW1WlV+qCqJTKq7wD0L9L1D19nCnS1yq4wFd2vUoWo+DJEKEFc5wgBgBqdad8fCcAcio2w"
     "2rWoUC0Cuq8qcq8C5wf9a1WV2nMonwvwbxxwa/Updp1lepyqlcak6wdr9qRvdq+XyoD8D82wD2K1D1f3//CVyqyr+w"},
    StoredTrees{4, 3, 2, 1,
     "ETVNTX7Awcr/ACprY13ycvDz9vb2lf4cPCf3ra2V9T4LJyr/3RoUWP6wgYL7ASkhNa5C8fL7WthZVnzFysr73VlZ9g"
     "4kKFHzQ0Fldf8BIfL7QGthWX7wkLz7"},
    StoredTrees{4, 3, 2, 2,
     "lX3Y1hX+oEijM/cAAoWtY19fKcDwvM9r2PZ9oMCcKxVfc2oaRBWP+RxPEovsV931nVb+gjAcK/8A0GiQZj/8IwjzPc"
     "HT9gm9UejBBIoPsaVrWNVl+vA0C8Pso2hVVXV+vBAoBfcDUrSNNmunC8Hyvs"},
    StoredTrees{4, 3, 2, 3,
     "odpp9h9RHqMBBKKC9w2r2oWFVF/3wkwUyr+wA9DZIZNZrqY38r8V+w1q9qdw9oDCJyKyVV9w/VPVhVpV/qnAvA/x/w"
     "ZNdPTfRf/vCcCsIM9wYAY3aVYVfV8qAAAK/wA1K1a1W1fq8IcE8r8w9aDWYWXWfq8DEBvK+wAAKBU193HkIqIg8K+w"},
    StoredTrees{4, 4, 1, 3,
     "PQtr1rX6wQxCMsS8AWra9gXD/ychxfG89Ab9r2PU/73KcLybC9wA0hQ13d1knQfBsp+AD0GSZhn5UqSzLMV/A1daFV"
     "2swIgnD8FU9wNr1lWZb6gJAkKsL+AFC0aV2X6QqIMkyi+gD3dTVNV6cqQzDMV9AnW9Y1nW6sRhGKcq/AUFfXdWn0xz"
     "fL8vz/Q"},
    StoredTrees{4, 4, 1, 4,
     "b2anYHY9+rCwPwPwjw4QWq0RERkRelyqMAVEao5wad2rWA2M//JUJUj8wV9AAAQBb133NXCnA3D1Cq1A9r9qFqFq+H"
     "MoC8FoL8zgt9v9l92p+jQ8cp8q8AzAP9KpJVRX/UAXCXCXyr0AoViV9VtVuqyiHyPyDy5wl1b1RFWq+IDwHwL0is6w"
     "9NRPd/2r8EgMoMiESM5wP1KVBV1d+rAxzxyqwA6A1XGolR2j+IEgvwvwVw5g"},
    StoredTrees{4, 4, 2, 1,
     "WlpW9izCsFVq9A09jZmf4JCQoj+gQ2hjZ17wgKD8+AlvYEJK6cXHz89wEDaNTX5yUPDw/Ara119T4HKykC9Q2tcUFP"
     "/CwkXK9AQ0Fl1X3xUfLy9AYGtpUX7wYPCA8A9aVV9g0iJysV9g"},
    StoredTrees{4, 4, 2, 2,
     "bRpmlY19fKgCEYy8A1o24R9oMCsJwrCc9g93X9XlX+hzHM8yS9wmmaZh2H+oUxTJMr+gQd1k2Rf+oJMFgfK/AdpmnY"
     "9j/8oiBUGs9ArVrWNZlevAginL8+AAEAWdbV+fKEDQ/C9AvWtdV9U+iSKIojw9Q1r1AUBaunJUHylF9A"},
    StoredTrees{4, 4, 2, 3,
     "GqFK1flV/qQ3Qn8X8r9AfX3WlV9VDqJAKAKELJ9QbUa1a1Y1fV8qUE8NAq8AR/2rVw1g/zwcycycys9gVq9oNRNRrq"
     "sIgCRKaU9AQPQPVq9qPAAyIycych9Aa9WvWJWP/vHJHJPKLD+wUadaTbTXXm8L8D1F/K/A9rpVVV9VPqCBJBKSFw9g"
     "oBaRYdVZfq8EkEsovI+A"},
};
// clang-format on

}  // namespace

std::span<const StoredTrees> spftr_trees() { return kSpftr; }
std::span<const StoredTrees> aspftr_trees() { return kAspftr; }

}  // namespace selvedge::spftr
