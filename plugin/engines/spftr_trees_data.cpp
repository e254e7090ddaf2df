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
     "/7y8fP86SorGv81ygAgf86wPAxP84MlKa/8z1VVav86WJKSv86mpKSv86mpKSv86mpKSv8"},
    StoredTrees{0, 3, 0, 4,
     "6jAsDfPv/+/L8vz/6o9P0fzv6o9P0fzv6o9H0fzv1cqEAQDf6sK0oxTv68I8CoHv6kqioGrvwNVVVarP"},
    StoredTrees{0, 3, 1, 2,
     "esrc1P8/8wMDP8MFVV2v8uoCwsf89QpKY/8+zMr8/89ycr8/89zcr8/89zcr8/89zcr8/8"},
    StoredTrees{0, 3, 1, 3,
     "+8nCs0z/OiIsL1v/+nwrwZr/urKsAjH/+vAjCMX/ebC0A1j/8NddVWr/9UKir/P//c9yr/P/9M9yr/P/"},
    StoredTrees{0, 3, 1, 4,
     "eVyqwDDy3w8DH0lU2pzwOqyzMo1U7wuqT0f0387w9UCoKU0r3wuqvy/ylp7w+qJAKkZM7w+1CVKq1q3w/UCVKp2q/w"
     "+v8s8s8s7w"},
    StoredTrees{0, 3, 2, 1,
     "riws/P8f/IQGP8DFV19v8/7KAQ/8fsvLqf83TIiKv83zAqKv83zAqKv83zAqKv83zAqKv8"},
    StoredTrees{0, 3, 2, 2,
     "//zCMIz/DFiVC9D/bhcfxhr//M1yXdv/vqIIgvH/fnyvIGb/3cyAoKr/3cyCqKr/3cyCqKr/3cyCqKr/"},
    StoredTrees{0, 3, 2, 3,
     "/vUM/MWM/wXq8ogIYa/w/DB0JU9p/wPqAqCg9E/wboUh8xNq/wTVYqUi9z/wbqfM/KjB/w/3CXCr/z/wvqj0Sr/z/w"
     "fTz3Sr/z/w"},
    StoredTrees{0, 3, 2, 4,
     "/18lSKoTAf8/TwKwhM8jM8nqvHQ/0J/O8jqpXSX0t/O8bqlzT80jPO8/qgIILymle8PACPTxX9q88/qcKrIqyau8fl"
     "/KtKA/8N8ftUBVKp9qt8"},
    StoredTrees{0, 3, 3, 0,
     "E3x8jf8qwsLE/8f/yA0P8v/Lyaf8/6wkNv8R1Xdqf89ywqKv89ywqKv89ywqKv89ywqKv8"},
    StoredTrees{0, 3, 3, 1,
     "q4rCs/z/V/8gAAD/AxVXV/b//+MpIVv/f7y/Lqn/208iyKr/288CqKr/288CqKr/288CqKr/288CqKr/"},
    StoredTrees{0, 3, 3, 2,
     "b6fC/yPy/wW41xvxQa/wn6vAgMiF/wBxLK/y/Y/wb5/CPwJi/w//DXSWdZ/wg1SK1YPc/w/zIsIrXz/w33830r/z/w"
     "33830r/z/w"},
    StoredTrees{0, 3, 3, 3,
     "W6tci/AUXP8/6jyMAzSM/8/6gygIDlsf8Y6nwD/ATwf8VwPzUrVbav8g6oiz8KPZf8P0SCqSo/QP8/7yEwlMbbP8/9"
     "hCrSo/8/8/91JRyr/c/8"},
    StoredTrees{0, 3, 3, 4,
     "AAD8qgCo//AAAAD89vwH/asAAAHYqhAA/QAADDRglUKp/aoQGICXKv8q/XwA/A/BrIlcwawAbKp9DP8AgxUg/NcCVC"
     "KoVgEwtKr8AyTwLWogXFf8qywAWPAQ"},
    StoredTrees{0, 3, 4, 0,
     "oOlC0D0///AryvD/qsKchfG//cDCqKn//cDCqKn//cPCAIz/p88yTHN/l8/Cqah/f//AS1b/A9fFMqE/"},
    StoredTrees{0, 3, 4, 1,
     "v+gCwKqh/wP+VU1X/3/w/8KLKqKm/w/+KsKqKm/w//KkKqKa/w//KgKjVD/wn+/B/xAG/wgOKgnS/2PwquPwKs/8vw"
     "Vd/yWg/0fw"},
    StoredTrees{0, 3, 4, 2,
     "b+lXD/yhAf8//z8sDDSm/8/8Co0plK2v8Vev8gkKLyX8ANVora8/3D8lupcC/w/8r8/+gCBK8X/P8V+/1AHaL1n8/+"
     "mwdcr/0v8W+lcD/wgYX8"},
    StoredTrees{0, 3, 4, 3,
     "WeBXDf/J/2o/b+pVxP/MgMV//8UDdQpVL2r//+sqVyqrGEv//9//KiqkJYz///UMFUiqbAP/V+X/KgACGjJ/C+okiJ"
     "/A/3J/kOqaANUwP1g/lupXBX/F/2q/"},
    StoredTrees{0, 3, 4, 4,
     "VNV/yqL8CL3wXw/+0CBXCKrFYC3wYeqVwS/8if/ybwluqlcMv8sgFVrw/+rWmg1Xwf3z7w/+vPwsQ8MSss7wA/VLCV"
     "CKq/2rPw2+AFIdf8t/2qTw/+qDD8CiqKyi7w/8VIz1KBV/2q3w"},
    StoredTrees{0, 4, 0, 4,
     "6lQlAUBvO068UBQKJauw6rKM0TTDO46kqkoaRjO06YqgwCgFOw1YqywahENwwEpQV1Vqsw6gEsTxNo+868EASKKIew"
     "/+/L8vx/P4"},
    StoredTrees{0, 4, 1, 2,
     "cMUFFRr8+lJS2lD9uoCwspX/OkpISNb89QoAA4H8+zAsLGz++8PDw3P8/yzFSnz89CXFivz89CXFivz8"},
    StoredTrees{0, 4, 1, 3,
     "AAKgw2jfAAAAKMD2PcwAAAdRV1XagEA1KkD2vYAAABPU9yr/AABXKgIAzBQASrA4yzMWgAy8zCsWxWwIiqCvMsqwQM"
     "zclCUKhjAI"},
    StoredTrees{0, 4, 1, 4,
     "93CoKgnwlw3g/VBVJVKqcD/g+rMo8M8McM7w/UCqEBIC3z3guqjyfy/ygx7gMBX1VVVV2qzQ+3CXAXKqMp3A+ryDAo"
     "GoEQ7AelyqwTyrwn7A+fJchUiqZq3A"},
    StoredTrees{0, 4, 2, 1,
     "/BYXNxb9riAxIqH8PUlJSfb+/oDy81v8XvCQvEz8jjws9Db//fIADEz8/yuyktz8/Cuyclz8/Cuyspz8"},
    StoredTrees{0, 4, 2, 2,
     "jrygQhT3P03mwvI9o1Pw/UCgnCtYf4bnygCAphvwbpcVx/KMf8/AF8X9XWv0/sADwJx1/8PojJMmj0/w/8LCMcpjPw"
     "PlIXFcn2vw"},
    StoredTrees{0, 4, 2, 3,
     "/rUMUM/M3M/AblfKfC/Chx/wvqgoigholB/g/3wUQUyrWH/A/AR1VV9VBq/QXq8jAwAwYa/A/1wqwASCVx/ADVIq8L"
     "0r9E/A/fCVIVIq/8/Af3SVcV8q/8/A"},
    StoredTrees{0, 4, 2, 4,
     "DVPKoAoCKPSfc/rwgwkMLDNynt/10VRFUSqPQz9bqlzJQy/MoXHvvqo/CDwi8JVzv/N4VSFUipEajd3q/CP8o9qBWD"
     "vLgSfUVVFVfarNbqfKrxD8g2PLsft0KdKnyqlmre"},
    StoredTrees{0, 4, 3, 0,
     "D/Ly8qX+nzwjIxP//4gAMjb8t/yMjGj89ywqKin+9ywqKin+9ywqKin+o1VVfY39qysKCcr+f/w8FdX8"},
    StoredTrees{0, 4, 3, 1,
     "/8CQBnHdvwr7xPEvSpf0q4rCsKz/P8AyUpUVX9v0V38gCAJQPw/5xFIUv9/4/8ozzPdF/w/wq4y9IdPw/wq4yRJ2Pw"
     "/wqyyKJjPw"},
    StoredTrees{0, 4, 3, 2,
     "b6cwfw/ygx/wP6IqUA0M/a/AQ7SIVCVy/W/A/1MKIIMr0x/A/6AHAnC2/b/gm6lAlAvy/z/Af6/KAAAAZM/A//AcCc"
     "LaEQ/QVw/J/B/ZGa/A/6KozITMdj/A"},
    StoredTrees{0, 4, 3, 3,
     "n6rzyTU/XBmD//94JTDUgqFYP/X1fyr8yVov3H8/wCDcinIF92r+G6hQAUAvwP0D8b6mwx/F/yoMH/V6vyoCIAyG2z"
     "/I6isBXA9av1T9/74AyIMSLFBr8j6kkFVxVcf2r9"},
    StoredTrees{0, 4, 3, 4,
     "/5cMqIgoSSp9ZfwP9QgVPBX8qv9A/wV6r8MwDwAPBs8Owm6qUMpQyvzKB8ewY6hcMlww/zK98OwCwAJ9dVVnVX9qs0"
     "/3VgqlKg9ag9oN4/7ciFCAVIqrWat437U8qvwD/ANZ8tw/6+LDP8Mvwy3HO8"},
    StoredTrees{0, 4, 4, 0,
     "X/fFNUWhf0qsKwrKs878//AoChLVv4/cDCoLYrfw/cDCoKYrfw/cDCgKAofwWf/A8C0/TwoOlCUJQPXwA98XxfGrT0"
     "pePMUzxqHw"},
    StoredTrees{0, 4, 4, 1,
     "D8kCkI/N/2/goOCgCiSi/2PAv+zCxAjIql/w//KgPwKhKS/A/+KgKgKgWc/A/+KsCsCsGY/wv+L0KkJW1W/QquVRVR"
     "/1CmvAVd/yAAgEQEfw/+LLBDHDXz/A"},
    StoredTrees{0, 4, 4, 2,
     "lupUCVAv8IBy8GeFcFVBf8f9p8V9f8oACACloG8b+lQBUA/8r/H8A+iyxUo1KP9C+//xAwVFfSldP8/8wxcKXCl99n"
     "9W+v8r/A/8GGx8gOkrB/w/Wj9g//+ihAosKLCpb+"},
    StoredTrees{0, 4, 4, 3,
     "lupVAFUAf8P/Wrw/+o/IxQzVDJ/fPwn+m/Kv8S/yKaMfw/88IrApMCmrfaP0b+BjyX/B/8GAav8/+k8IiSoLKhVo/4"
     "meqXAJUMv8y/xXwj+pKdFdU/VQ/af0VNX/KgEAAUBvbHwA/UkFVQV1Kn/Sjw"},
    StoredTrees{0, 4, 4, 4,
     "gOqSkiVXw/XwP3yLQ1uqlcwlQwv8ggMVrw1cD/z3AFUAFUWmojQG+pFMyFIwP8y/1qbwP+0IFU/FX1Kq/0r3QV+l/y"
     "q/wo/yobwsbA//XKCXKFXKKr2aC/Qb+oZw1Z0V/8dh2q7Q/9ZDyqCgCWgCf3x3A/+vAAMP8oGqsf0r7w/+rAKwAKsC"
     "mqK0E7g"},
    StoredTrees{1, 2, 1, 2,
     "0bqwsf82jBVWv8mforJ/8b/8MzP8AHXKyP89zgqKv89zgqKv89zgqKv89zgqKv89zgqKv8"},
    StoredTrees{1, 2, 1, 3,
     "YX9yUKr/2r43Mcz/3c1Mown/hm6oQjL/W/zxFGr/Gh4szxf/9M7QqKL/9Y6iKKr/9s4CqKr/9s4CqKr/"},
    StoredTrees{1, 2, 1, 4,
     "1q+vyn2q7wX19XCokM3w2rcpyqFV7wUN/dJdKq/wdP+3AUKq/w2q+DHxWqzwmpuqcy8y7w2XOotwny7wAA+ryMwr7w"
     "aq+wCSKk3w"},
    StoredTrees{1, 2, 2, 1,
     "W/8LC/8AF3y8P89vxFdv89g6QnP8ra4sKf8/S4qKv8/S4qKv8/S4qKv8/S4qKv8/S4qKv8"},
    StoredTrees{1, 2, 2, 2,
     "9r/0MSz/ZZevADD/hpulC/H/Y/9zLIP/9oMCV1r/GC+rI8L/nV+sokT//cuCwKr//cuSKKr//cuCqKr/"},
    StoredTrees{1, 2, 2, 3,
     "NqnqsA8x/w9j/vccQo/w2P/0yXyr/w9qD8IlVq/wdr/DJwJc/whpbqXF/K/wY0fV8q8D/w/VLqKqil/w/bLgKqKo/w"
     "/bLgKqKo/w"},
    StoredTrees{1, 2, 2, 4,
     "FqP0/yr8g88bav6sCgi8O8ZrXyrylBqu82qf9NJcSrP8ZD/7dAUSqv899/5UCqJqd8hlW6lcx/Mu89qw6AnwVUu8kA"
     "Z6qyC8K+89qv7RCcSpN8"},
    StoredTrees{1, 2, 3, 0,
     "3aOkJv8/auIS/8AFf8/P8a7/C8v81r8rN/8fY+Qof8qf9xkf8vQsqcP8vQsosP8vQsq8/8"},
    StoredTrees{1, 2, 3, 1,
     "1A/YSjL//cDlcVz/qWrilKb/Vv//L8v/AZXPw/H//0riqKD//0riqKD//0riqKD//0riqKD//0riqKD/"},
    StoredTrees{1, 2, 3, 2,
     "/aAwCQVR/wZmb6Uh/y/wGa17fH/L/wgVm6lwvw/waaX7/FQa/w/QP1IK8i/wWP//DLLD/w/W/7SsSM/w/3K4KqCk/w"
     "/3K4KqCg/w"},
    StoredTrees{1, 2, 3, 3,
     "/Zw8hJFXav8/ahPAsyVFf8ZN2+j8j/M/8EdVuVXN/yv8Vn/+8AsCXP89Q//cCXIq/8B0WeVcN/yv8moZOq8QgKf8Gt"
     "NNU8q/CP82qhMI8CaiP8"},
    StoredTrees{1, 2, 3, 4,
     "vapjgHwy/xfPGPRXV/yr/CvfWZ//rxykIarvZqn/08Jckqz//QM/tCAUUqn//ar/E0HxSarPA2abqZcB/zLvbaNrqf"
     "yqBULvvamPqoiy/PPvZqr/s0CSUqTf"},
    StoredTrees{1, 2, 4, 0,
     "n2g1VpU/qWD6whY/kWvwCEP//an4gDI/lX//wfD/ABV/8/x/auqwryu/lEq/z/O/lEq/z/O/lEq/z/O/"},
    StoredTrees{1, 2, 4, 1,
     "/0ANlSlQPwABVe/w/xfw1bP+KqCY/w2fP+KqCY/w2fP+KqCY/w2fP+KqCY/w2fP+KqCY/w/2P8QVQW/wW3///L/H/w"
     "qtquKsKsvw"},
    StoredTrees{1, 2, 4, 2,
     "WjV/X/KAAX8fY//8AXKK/8/1hjhVwf8H830z/oqkFXP8j3WPpsg/8T8/1ibgnQX8L81Wj/gqRGmv8P2I/qKK/xP8bW"
     "n/D/MJaP8YNdXqfAv8L8"},
    StoredTrees{1, 2, 4, 3,
     "/2oW6FXMf8m/jdWb6pcIv8I/1YE/9SgVCKr/2Xc/9igpGmr/Gh1V6n8i/zF/b2v/zwFLJVf/b31A1f8qAED/f2hL4U"
     "ox/yo//2oL6iSCX8F/gG1v6n8A/8z/"},
    StoredTrees{1, 2, 4, 4,
     "bYH/+0DCXaKr3wj2q1uUlQq/8lvwkGh2e11wlv8qTw/2j/9ffCsV0qzw/2BP/VKJVWKq/w/dfb+qU8A/8g7wGhq3+o"
     "fwj/zy7wb30R+l/yqAMMXw12r/8D/HwWlczwv2lgOqyil2WqLw"},
    StoredTrees{1, 3, 1, 3,
     "Uf9yUKhof8aX6kQzCRf8WX60M8zzP8U/7wHwts/82swJw/LXP8Bi6ssgzA/8ml6sLFQaP83X1QqSlav89Y6jCKIsP8"
     "9M5g1CooP8"},
    StoredTrees{1, 3, 1, 4,
     "2j+PCosMkozwYP/XJUKoas/wWp+zMcKlWq3wgVuqwFCqAE7wGochwqwrwr7w2vOohwXxXy7w2r+wnw/wVVzw2q+8Qq"
     "8q8g/wdq+3AXKrFq/wX39VCqJRWi3w"},
    StoredTrees{1, 3, 2, 1,
     "9a6QfHX/Db4gIvD/2//Jipr/df0yF1f/pX5A8Az/9gwnKdb/YF7wkHL//S4sKqH//S4qKij//S4qKij/"},
    StoredTrees{1, 3, 2, 2,
     "EH+rAgjwP8Zpd/KBUGv8Rhu1C/B8P82/+2M8zbP8tr8AcLzfP8dv/8nytl/89UOiBUpVf8/QOQKChCP8vWOoKiiSf8"
     "/cOAwCoiv8"},
    StoredTrees{1, 3, 2, 3,
     "WP/fMlIqWr/wfVXq8DMyKx/wZ0fn8oBVNq/w9n/rCMfMTM/wAQfpcq8A8A/w9qDAJwHy2Q/wj1bqXK/CvF/w/3vqjU"
     "io/z/w19P1z9iq/z/wZq/0D3yr/z/w"},
    StoredTrees{1, 3, 2, 4,
     "9a/6SIoSokGrfWD/9cBXyqliv/EFJ6rxFIqvAfvdav68isnDJgzvbfW6nwxC8Q/LvhqW6pYy/MvxLvdof6siMJKmUD"
     "v99w1Uiq8U1aXf9qzwEHyKpVarPVA37fMXyq9qrf"},
    StoredTrees{1, 3, 3, 0,
     "3X/8VZX/vf+8kND/V6cMCxf/tS9C8tz/pY/Jynb/NIdU/Pz/mauAIA3/do8nKmj/gS8wKPz/rRM8K6H/"},
    StoredTrees{1, 3, 3, 1,
     "/aPsczx3P8ABffyiL8P8/SriCKHQv8/UvrC8Fwv8q2/kB8qof8Vv/wKAtW/8/YDAnSldv8ff3PwFQVP8ff3BwPABP8"
     "av3CyKwrP8"},
    StoredTrees{1, 3, 3, 2,
     "9vb6VA/yRq/wbaU6/ABVJa/wGQ16fB/K/A/w2PP6zIyEmM/wva///IEM0U/w/aD4CcSkd8/wdb/zIgCgfz/wgdm6ny"
     "vwvx/w/WP1IK8o/z/wV2/4M3Ir/z/w"},
    StoredTrees{1, 3, 3, 3,
     "1D/+rAAiMFij/PYIOqIqSAPzD/9j/+98M/DAaz/QZWep3C/wL8X/W1V+r8ljKvxP/adXdX8qIVSGr/maluDcA/wI/D"
     "/Xaf8MBzJ82XP//Yz/UjVUql/P/vUY+qSIsqNAL/"},
    StoredTrees{1, 3, 3, 4,
     "/ZE/qiAAFPKUqe8/aebqpwovyFE8u8NGr/rzCVIKr8au8g2lvqlci/zH/Mu8fan/MwCsiQzZTN8/acDqIksSih1le8"
     "Vaj/1zJUMqhZpP8WfRfVfyqAFUhqt8bahXgfzy/Kv8I881g8/tPAX8qlWqt8"},
    StoredTrees{1, 3, 4, 0,
     "auqynKtqr8VavxQvyVv8lEq7wLCMb8lEq/w/D8L8AD/3w/D/P8r1D8CiJ8D8/WvwMwDDf8q3E4oAQRT8r1V/8VGkX8"
     "q2DwxCoR38"},
    StoredTrees{1, 3, 4, 1,
     "Wn//fD/HfL/w/0Vd/yFUlUfw2nP8KgKpK2/w1bP8KgKpKa/w23P+AIAYw8/w2nP8FwPxKG/wABquiyii/zvw/2AMCn"
     "SpVWPw/1A+wF/KqlPwqtv+IcL8Cq/w"},
    StoredTrees{1, 3, 4, 2,
     "/2iPgsCFJZRp/VXf/XAKivFpz//2g/AKcKfNmn/2ZD/orJKCiiT//1hbgVwf8Fmi//U2/pUB/8lWv/b2lTr/JAUgFo"
     "/WWv/8IHLK2RH/gNZvqUgv8L/F/GjVnp/A/zP8F/"},
    StoredTrees{1, 3, 4, 3,
     "/W9v6WcC/8BZbH8ABlW4dUKv8L/wr8GjTV1X8p/wr/AH8b2v/9yCXJKtkBf8/2U/6i8SUHJQcf8vYGb6pTAv8yZqX8"
     "bW1f6f8qDxEFav81dv/78cKisBa8/8/2oAwApwCfDVXD8/Won6FUM/8RZa78"},
    StoredTrees{1, 3, 4, 4,
     "gGqW+kVco/8q/8SbwGhQ1etfwl/yq/wAbwv2piOqikCirwmXxLw/2vC/VLBVVKqVFCPw/9mVupVwh/8qVUkrwb30U9"
     "V/yqAVVAWqXwaUP/+3KIXKKraar3w12r/8zyDwyisWkszw2aq/+PKysKAEKCo3w/2hb+NUAp/8t2Uqzw"},
    StoredTrees{1, 4, 1, 4,
     "33NViqgAREWr3A2r8gnwvw/yaq7QWv9PJMxMScWrzAAQ+rygwzzzzz7A2m+rCgIgkw0U7gtpuqcpcp8qsx7w2qeoyH"
     "CECoBA7A2r+gCiHyPxKq7wYP/XBUJUKoas/AVh+3IUAUKpWq3A"},
    StoredTrees{1, 4, 2, 1,
     "9Q4jJyo3/goa4yACDw/A/T6ckLyl/w3T7JycpD/g1T7wDAQG/w9Z2xkVJz/AWP9gUPBa/ABP0yMiPz/A9jwEKCl2/Q"
     "d37wIBDc/A"},
    StoredTrees{1, 4, 2, 2,
     "AFilwXD8PxAwE3wTJAEiv8AAPayoISDAvzAgEXy3AcjzPMAAl2SfKKAlDaAwlVyvIhCPJVAQZpxPIBz/GZAwtpwPML"
     "yfNaAQ9gCSSKJ8UaAgWPz8nyfK1rAA"},
    StoredTrees{1, 4, 2, 3,
     "dh/qsgiAhEdr/g9qTo8IhAXxVq/wVqfBxxzxyhWS/wZoXR8hDxDyBq/Q91P1IqJwKR1i/gtpbqXBXJ/Khx/A1P/3CX"
     "CXCrGr/gWqfo8yci8zYy/AAGvqU1UV8q8E/ATb/vAMCMKMPM/Q"},
    StoredTrees{1, 4, 2, 4,
     "ZZl7fwrAAASBnw/AAYP58ysADCAzwr3Adqf4PzyA8vFdmrzA99D1UiqJICpTWq7g9rzzQKUiFEql1S3AtoY6qAU8l5"
     "KqcB7AYam6VcpXKfypMA7w9oC6sHyK8ivFWq7QTVH6pwEQBPBw8k7A2D/9fBUxVIqhas/g"},
    StoredTrees{1, 4, 3, 0,
     "jf/wsJSl/A/Y8Bykq1/QpQ/IScrG/gbYMLAwNJ/wZo8CAgIL/wa6uUFDwA/AdY9AUPFp/A3a8kJCj8/A3b8AAQrd/g"
     "EFf8LCT8/A"},
    StoredTrees{1, 4, 3, 1,
     "/XDskyiKJ0/QAGroijKIvw/AZT3p8Vz9AM/w/YHAzCdKXW/g3W/iBIkimH/gfdffyAABAG/AZn/hAEA86l/Aq3/gcB"
     "wPD8/wVj/3IcDwla/Aff/CrjKUtc/A"},
    StoredTrees{1, 4, 3, 2,
     "A2Z7bBYh/y/w/gVj//AoAgCsVr/QZUT6/BAJAKZa/AvVm6lAlwvwgV/A3a/wMEMUIoTT/g/aD4IcI888da/Q/aA4CA"
     "CcF81a/wPa/38L8H8L/C/AWN01fKfE/IGM/A/aH48y8CUVca/w"},
    StoredTrees{1, 4, 3, 3,
     "bdVdX8qAgAEBhA/w/ag/QCUAlAKgz8/gVj/+88LKiy8tWj/wA3W+lTBUgf8H/C/AvaYOqIAiQIpTdo/g/aRuoUBVwf"
     "8KAx/A/ag8ABwA8ErF1S/QPWv+vIczHMiz8M/AWBtOl81fJfyoYE/A/YAuogCI8hfFVq/Q"},
    StoredTrees{1, 4, 3, 4,
     "aWpXq/wDAwAB8GHw7w9W9vtXwpRCn/KkFr3AXaB/S/ym/CeUqtWqzA2ahfs3zyfPL8VxmqzA/acPtAEkigRKKXRSzQ"
     "ZgX/1zJUIlQiqGas/g/fVDlUiqSQBKAP8A3gFGD/n8AswAyIDPwr3A/aAPNyCXIJcSqd2q3Ag1WbqpcwlTD/HL8l7w"},
    StoredTrees{1, 4, 4, 0,
     "/bf78IAkARPAamqykKQq2pvARX/3wfL8mR/gT1Q/8ihVaVfAo0P8xyrKqt/QqWDwrCkKiHPgFCV78Fw/P8fAm3/wCA"
     "OQtB/wH2jwAAPAbxPwXevxcFw/FG/A"},
    StoredTrees{1, 4, 4, 1,
     "/2P8CjADRVRW/ggBr+SASC/D/y/A/1D+ykyoyqqh/QP1ROT8SkSo/8fgqtqulCVw/wA8vAWm//AJAJIKY1/AP2guIx"
     "IBKi/wPA/0Vd/yvwnw1MfA1bP+KUKcK8Sb/w2qP8PMPEKqKs/g"},
    StoredTrees{1, 4, 4, 2,
     "fY//8gXANyCtpr/g/1o3qPMihJVxlcfA12v/DMcyvErxab/QgGZvpUiVIf/K/xfw/2tbjXwl8H/B/yvwGjV/V/Kfwf"
     "8H/K/Ab2mDhhAfQP/AFVPA/2BfovCJQv8UAaPA/2g/gKACXJ/zZY/wbdX/r/BQCUAr/A/A"},
    StoredTrees{1, 4, 4, 3,
     "AFrWLZUJ1QW/yf/KgAAYFbKlTAV8D/zP/8QwAE3/JQ8qCgAKUipswABUH/NyC3IDcsqymrwAD2pvLH8Mfwz/yv/8wA"
     "GjXVFX8pSgn/Cv8rQA/2g/IypzKfN/8WlqwQbdF/Kv8iCgL/MoBxwAVWv/D/wc/Jz8pGlrwgv0WAKooEiiSVKNVAAA"
     "32k/Mf8iAHAA8BqVww"},
    StoredTrees{1, 4, 4, 4,
     "/31P+lwCqykhSpyQGy7gj2VmOqlMqlAov8ov8lbw/2hJ/VLKVJIVHKqXGqPQENqVuoVwAVIC/8x/8yrg1Wr/8fDCsC"
     "oMCoMGmM3Q/Wqb+cVUsVc8/8XWWrXAb2qb/w/yhAPxAKyABc3gv2qj+oykwyrwxXw1Xw7gGgAVd3fyVfyV/yq/wAfA"
     "bYP/+0ABXIBXLKraar3A/2og+CzDwzHwSqpWWqzw"},
    StoredTrees{2, 1, 2, 1,
     "pa2uLP8AgBd8v829Y8y/8WHf/kv89vU+Rf8/Rk+Kv8/TUOKv8/SkuKv8/SkuKv8/SkuKv8"},
    StoredTrees{2, 1, 2, 2,
     "2X2jwKX/mFTf6iL/AogF18r/fT1/6XD/Z9H//Nv//cZP7az//e1Y6ar//cNC4ar//cpA4ar//cpA4ar/"},
    StoredTrees{2, 1, 2, 3,
     "VV9q/gVl/wWr2B/zCX/w2P11fV8q/wn1tVnqsw/wAqIQ/v8M/w3T9rPiIz/w/QDWLqnK/waqRv/I/z/wap9izI/z/w"
     "ap9izI/z/w"},
    StoredTrees{2, 1, 2, 4,
     "bT01/+fMrN8WqVgP+TcK/8kqZFG+qkoO8/QQW0uJXKt8DUCahcC88882pRY0/N0qv8GqlYH+z8V882A/fcN0Iqd8Z9"
     "/an+vRpO829hfY+rCR+8"},
    StoredTrees{2, 1, 3, 0,
     "AAZf/P8a2urK/8UFCnnP81tX/wv8Va0DVf8970r8/8vYkr8/8/Ykr8/8/Ykr8/8/Ykr8/8"},
    StoredTrees{2, 1, 3, 1,
     "1T9gMlL/fb9//QX/VtW/88v/q2rauKz/AIAFd/L/2v0CcLD/2v0CcLD/2v0CcLD/2v0CcLD/2v0CcLD/"},
    StoredTrees{2, 1, 3, 2,
     "CKZafw/M/wmVnZ/6MX/wEAGFl6/C/w/1A1C6ly/wb3/X/7Ys/w1K/QA1/K/w/3PUC6SM/wZtda//Rp/w/2NkL4ca/w"
     "av9PL7yq/w"},
    StoredTrees{2, 1, 3, 3,
     "/0QN0Lqlwf8WX1W//vMSf8ZqlYP/zQnP8/1A1YrqvKP81Kv2ALpCKv8ABSWpvo/Jf8iNYjX/qPM/8aqv3T/XZKf8aq"
     "v1SDqVKf8aqv2qXAfMf8"},
    StoredTrees{2, 1, 3, 4,
     "3QP99w9ULKnfgPWIFZeq/PLvZl9lqf+CaPPPd/39lYMqSPLv1qo1gf8zYlzP/0ADaiuo/wPvNqkmAW/B/Kr/GKhVoP"
     "8r/PPvValVr/+vAUTv/2oNbQuqlHzv"},
    StoredTrees{2, 1, 4, 0,
     "AAAFb/x/XWrQDVU/11faHpw/atq6rCu/VDVv/wL/va9Sv/O/rWFSr/O//eVSr/O//eVSr/O//eVSr/O/"},
    StoredTrees{2, 1, 4, 1,
     "1ZVW/8Qx/wANANVe/yfwakSq/+as/waqSq/+as/waqSq/+as/waqSq/+KL/waqSZ/9ii/wa3Sn//yV/wqhqhquKgvw"
     "/S/0AOVwPw"},
    StoredTrees{2, 1, 4, 2,
     "SB0pr/w/zP8/2v1u/6/Ef8/9QNUi5lSr81Sv9AF5Lyn8/9QCUL6/Jz83TT90A6SiT8PYCV1f1/yv82hRAU/6Ayv8Ya"
     "n2L//Dxf8v9YPWL6v8L8"},
    StoredTrees{2, 1, 4, 3,
     "DVVBakni/zF/Laohglfw/xc/3XT/ZS/qIFD//9ED3QvplSo//90olS/q/CP/aatJav/AaIz/QAdKNP/Xfyv/v9WAVY"
     "LqjyC/VSr/VADlSio/2tPXW//vD8v/"},
    StoredTrees{2, 1, 4, 4,
     "ACqWgAVer/yibw1X0/0VAOqKE8LwXaq/WD/9zCqszw/aqUUCf/A/JT/wL91IV1a+l/yqLw31dP2qD8ASjxzwbYPRb3"
     "/9WQyr/w/9BI19IulBSqnw2mq3VP/9PDyn7wv99gNpiuqn8Erw"},
    StoredTrees{2, 2, 2, 2,
     "mmYb5gKIv8b1Df1ArIv8/YJi43P8/83W1b6cBMP8Bn2g4IPxf8tlmX68nWv8d/W//Jcm/89o2Nz8Aov8ab9/7yxrP8"
     "YD9y4IpiP8"},
    StoredTrees{2, 2, 2, 3,
     "WqWG/rMbQr/w/dBZLh0qfy/w0A93DkIpEq/wZq9o/3QUSo/w9nFo/DAwKX/wBq1vPVYq8J/wa2YHXq8Ajw/wtphxvq"
     "RFxq/wZfdq/gnK/D/w2pXT/vSs/M/w"},
    StoredTrees{2, 2, 2, 4,
     "ZanV/+vApcarv2r9g//HyVIqr/aAWPVep8sUCrv/aw2gupXMfzLvYT/ac+ogoEkLvk9bfW+q8sxPLv9nzan8DF8SZL"
     "PWqVUP9zgrIozPVq/fb+VAqgqXfBqPWMOoIAvCvv"},
    StoredTrees{2, 2, 3, 0,
     "GthX/Pz/9QX/Ua3/a1OfIvL/UJ0/pJz/vUW/xET/Bna/KDz/922rAyv/9z0DKtD/9y0XKgD/9y0XKgD/"},
    StoredTrees{2, 2, 3, 1,
     "X3Rb+wzzP8/YFv8VBWf8P2jauKD8P82jY5+PIov8Zp2H9/K8v8qX9QOAUBv8QNqv/AsC/8QNavcjJ8P82oajcDAaP8"
     "2oajcDAaP8"},
    StoredTrees{2, 2, 3, 2,
     "9aPQg6SFVa/w291NP1PKAc/wA9WVX6/I/M/wlBvZ/6jIiA/w90Z1X6/KUK/wZrZj//MsIr/waV/aCwKTVV/wWq9WL4"
     "8T/x/wv1QVZ5XC/x/waq/WG7Fzfx/w"},
    StoredTrees{2, 2, 3, 3,
     "WtthaXqvIIDD/AFW2pTA/MvxX/WgNTX/VDKsgr//aimD/rMHCKz/v1YNVLqVwv8P/VWv1LPiSRVWr/ZX0q//PEqz/P"
     "/9r/0UfKIqP/P/9qhYAvz0q//P//0TVkvq0q//P/"},
    StoredTrees{2, 2, 3, 4,
     "v2WBXYuqlxL/Mu8Zq9Wj//FMKUiqv8/QNp9ldV/KpBKd89Wo9fYOpSTFF8u82alVo/+vSIVJqu8VPf9ZC+pIKFcAu8"
     "AFT9q/8A/PP8V88/2s3aC+00lTyqt8WjdY9l+V/C0sKv8VqrWAf+LHCy/LN8"},
    StoredTrees{2, 2, 4, 0,
     "VCfSHxxHD8DarYDPw/D8lZV6/PAs/830QT/KgaP82oYD/zK8v80UbT/UWpf80PaN/fz/P8/Q9v/owjP8r2HVf/xXH8"
     "atoarCvK78"},
    StoredTrees{2, 2, 4, 1,
     "A9qNquvy/yvwql/1AePxKmPw2aGYP+ysxc/w1GFXP+KgLx/wWj2Kv+KgKg/w2qGKP+IIII/w/1A2P+QcSs/w2o12FM"
     "/xvyfw/1/W//FXFX/wWrWjX9/yAK/w"},
    StoredTrees{2, 2, 4, 2,
     "/9iDYi6FQv/K/v9W9Vw6/wIMw/APVo1V1/yv8K//1S1pjwfzP8V/bW39v//ylUpr/fff9Ur6Jwm/J//9A9UL6KxWgq"
     "//aZWHf6vJGyj/Wmt9T/6Acy/P/1QT9WL6SgFUq/"},
    StoredTrees{2, 2, 4, 3,
     "XVX/ajTALyxQVT8D9BjXULp/yr/AL8v92NlUvqTAD8zL80PUaNVXV/yqPMH8WmrZcL/qgUCKcv82AX/agPgCjAKKj8"
     "Zfd/a//vHBckq/8/9YA1ivqFci/wj8/3UdVd/qfJFpav8/atFQW/xfCr/Av8"},
    StoredTrees{2, 2, 4, 4,
     "2mq1Wg//UPJXLKr/wb9PYNf/+fzysSgM3wb9qb1qQeq/wAgLwLwAP02j1H9F/yq/yi3w/QRP2qD8CSiSUApzwv99j1"
     "9iOqh80v88bwRX3/2XP+oIFFZ2q7w/arfYBV+xVQq/8ijwf1V/Wqt+gXzwaZUbw399f19ZuqZws/8k7w"},
    StoredTrees{2, 3, 2, 3,
     "1r1oPCxyTxxq/w93NlvqiUiq1l/wgBtp3qU08osi/wZfdq/gEB/KRq/w9YZbXi8rVCWY/wfZTf/vIMPKLD/w/WNVLq"
     "8AAwI8/wGpWB/xAqIj8x/wlp9hDqLKhUtp/w3203/XAoCs2M/w"},
    StoredTrees{2, 3, 2, 4,
     "QFvab+H8KLCCwczw/Qw2guo88gPICq7wlqbSm+qwgJTDXy7w9Rwaj8SC80qpKl3wWr1o/+PXLPyz8q3waBGPZdV8qv"
     "KP8r3wZqXaP/UDVQqphy/wV9vVYOrJ8ilVmq7w2qfav/UgpMoXEq3wGqNQH+zAdSKrxDzw"},
    StoredTrees{2, 3, 3, 0,
     "WliXPBi8/wfdVf/JSU/wAGe/QED8/wla2DyUq1/w9jb/kDwG/wpY2rJysL/wa1G/cvJi/wXZE/CynR/w940HCijz/w"
     "940HCijz/w"},
    StoredTrees{2, 3, 3, 1,
     "r2jauLAoCs/w9oFD9ULwJc/wqX9QOHM8SG/wGhY1e/KQPw/wQH9c+yF8nx/wVvWv/sLx/L/w/Ypi8AkSh3/w/c9wuB"
     "QKDT/w/c1z+BwPAX/w/cFwvIsFzX/w"},
    StoredTrees{2, 3, 3, 2,
     "/aKYm6lyvwTy/wYDbb//zMyMTI/wfV/awwicV8Vk/w/2QWZ6bA/wv8/w2X3a/4HQPwGH/w9oZhf6/JAKJo/wmdm1/6"
     "HDLDIR/w9fLaH0IK8Vda/wV1/VP6Ik0rfy/wD9WN35fK/A/A/w"},
    StoredTrees{2, 3, 3, 3,
     "/2t1//rQLPwxmc/w1av2Av0IlRKoSC/wbb1Wr/DPMyVMlj/w/Vf2oPgCUEqVVq/wANm2ZDr/A/zL8H/w92j1JbkVCv"
     "8xlI/wWkFjXXV/KgDEAy/w/1YFWbqnyL8R/J/wWQ19v/vxJciqaM/wtqWYFvqfBf8q/A/w"},
    StoredTrees{2, 3, 3, 4,
     "lar9qwOoiUDK8smU7wmvW/dW+qXCL/Ag/y7w9as9If+3MKQiqnSBzwWjdY9ldV/KoAIiAy3wZYFvb/+rAJQIHQkqzw"
     "BqhmAX/C/Kf8q/wj/wUF91qv8P8KywDJxMzwdXf9qA+iI/JVVVWq7w/2sBUJuq1yl/Kv8i7wWWrdaT+1AlUCpRIq3w"},
    StoredTrees{2, 3, 4, 0,
     "0PVFf/wkJ8fwqmvYDIcqUtPw1WpQPymKpWPwUOaZXPwq8Cfw/UVf/hxfKh/wr0Ac/gAgiN/wBZ9q/fD8P8/watk6vH"
     "A/CrvwvZpavCKIvzvw1SfarADFMUvw"},
    StoredTrees{2, 3, 4, 1,
     "fU21f+/ylQVc/wAB/2E8FDPy/xPw330EP+PIKlJW/wq9qN/+gyYT/y/w/1z1quKch838vw1a/Y//wBwKQK/w2oWjUt"
     "/y1Sv8Pwql/1s+UE/H/LPwVW/0zOykSpVaPw/dB2pePxKiKsfw"},
    StoredTrees{2, 3, 4, 2,
     "v9YDWC6fwP8wA8vwba1WP/5Iwiigqc/w/9j1Qr4/J/yv8rPw/9QNUY6Fcv/C/xPwWmthD//CqgpVKa/w/3z9ojwzHF"
     "fxXbPwAPW0131/yk03/KfwVRf9oP6Cgf8plF/w/3T1oP6HwP/DZp/w/3RpEd6vyI0SP8/wXUP9Yf5LygEARA/w"},
    StoredTrees{2, 3, 4, 3,
     "2vedFb/lwymKSlij/wbatVi//vBQsvy2mj/w3aX/ajPoJHQcqNqkPw/dVvan30/zxQqFEc/wXar9YB/wPJT8p/yr/w"
     "RXX/ag/iCnI/8mWS/wv9WDXUjp/yoP8glMPw//ZNVmPqXwD/zL/Mfwv92A1YLqvcKdsP/xvw/2oadNPV/yoVVdVqPw"
     "AAC9ZWfFbyr/KP8Afw"},
    StoredTrees{2, 3, 4, 4,
     "Wmq2kA//XPJXLKrGJT/w/0AGltl+qvyolUC1UAbwD9qYFqT+o/zzQDy/zy7wf9p/1BC+BLwqv8U/8qjw/ar/UDZ+wV"
     "cs/8qmagTwYP3VT1/9VACqCgpLyy3wv9lgdFSeqfy1/yqASFLw2FV/2qAMACnwCpyGmSDw1BfXZf/+fywswwsSgc3w"
     "ZX1/1VFuqFwDf8VVWqrw"},
    StoredTrees{2, 4, 2, 4,
     "99haW+q8AwwAXw18OwYH3Z/+vArAAwgMAHOwWqVEP9wyU8leKqWq84/aQ2kuqnIlAL8CjAe8aq2PZd28q5ALwDbAtw"
     "/d/WQOVAqiQUoqfAO4GqNgH/DMpPKSSo8A/wRqPSN+w8KIChAocUMw1o/as8AJ8ivApVdqs0kRZbV+qcIUAHwqGpew"},
    StoredTrees{2, 4, 3, 0,
     "WtiXPBUqwv09KUPyMnK1v4UP2jKICQXPwdme/Jycraf89ha/oDEiNP42TX/clLxafwhamDAQpKrf0Pcl//AQM/PwV1"
     "2rzMPFVv4aVG/GBw8A/w"},
    StoredTrees{2, 4, 3, 1,
     "9WtauLAMEUVX8D3Tf+HIcjz/L89rGI+AAgCiVf8WhY1d/IAAIAD8/YFv/cVyfKdz+tn9Q+wjJIoqX+qX9Q+AcKwpDb"
     "90H9g8gKAJA3D8Wn9UOSRKP8Yz9VN1f+BwHA8Vv/"},
    StoredTrees{2, 4, 3, 2,
     "Bq1j//DLPLKH/K/A/1A1C6Jylyvygx/w9Y/aA4CQK8JVda/gW92Nn1/KAQA8Gc/wZ3VU/3UFUF/KZr/AdTZafw/MA8"
     "C8Zo/Q/2DWL4clUl8p/y/g/aPUh6jAiwSsTU/QkFvVj6jKiAnA3E/A2qlav4wAwcS8X8/w"},
    StoredTrees{2, 4, 3, 3,
     "/0wZovg8l/Jfyr8wv4tgbWmPqkAFCD8wlqfwD9VjXXVfKnwD8A/MPwdqmUJPy/FQBUAqYgPwUGf1UDlCNSRVcqXHPw"
     "/aD3EPqAwosjKV0av0VUVWpfA/MBXA/yGav8Zan2j/iMQCPElyd8/0WX9V//vDDAwwJMHbPw/1gNULqJCpcK/CQxP8"},
    StoredTrees{2, 4, 3, 4,
     "ADT99wNUHKiUAPwD/APMZql1A//AMlMiVyKqZQP8kam9UY+qiSKKMsoimwHtdqplQn9y/KcAhACobADM2VNdr/+pAw"
     "UBBQoqXavu/2tDYEuhdCpnKP8oQUDu1av9qQ8CAPAg8BVV1arM9o/Waf+vyCyXDL8MVqzv/3QtZieVLKr8U/yi/PPc"
     "WvZYdd+qfKl8JfwqGwTs9VM9XQ+pACEJAUrydZDu"},
    StoredTrees{2, 4, 4, 0,
     "RWnYXzzKkqqV9X2hY/IAAJCo38r09c/iwICQhH8/Ydv/fJ8vyvL+0PaF//yXJUvz8FWvYLCkKiXJd8aho6rCQpCoai"
     "8vapQPigKQq2Y+VdfaDlAUD8FA8oFPaDAMA8hqE/"},
    StoredTrees{2, 4, 4, 1,
     "ql/1iODwCkKsqhvgAAq1quKwCSiy/wvA/V/2D8CnCrCpg2/Q/XBXi+AJIJ/K1WvgWp2hn+PwAMAKUB/w/WR3Rd/yLw"
     "VRVSfA/dP1g+wMwESo/8Pwf3Q2//fCfA/HaW/AU92Nv+lylA/zTz/AVa/Yv+AQAQA8Aa/A"},
    StoredTrees{2, 4, 4, 2,
     "/a22FH1/yiECTCUE3w/9T9Uh6IwJfC/wn8T8RUN1o/wILAFw/8a2v8V2v9gk6BciWJ/xZWj8mmlV///PCz8MlXGmvw"
     "/Rj9YD6CiYomVK1SDwgPVo1Q5/ygQAEEPzLwP9YPWC6VwFcD/M/xLwv9YCWL6iBFST8o/AD4aYF1r/4yEMrxK8Qav0"},
    StoredTrees{2, 4, 4, 3,
     "/1A/agTsCgiKPEVVRWp8/9cj1SLqJcBVwP/M/8S/b9phkVvq/wIDwgEyA/I/WUPVaz/jCgLKcUryWar/b9tAWv/vIJ"
     "wAlyCrYMP+APbaN9XVvyp/IV0i/zJ82mpfaH/A/HOV8n/yV/D91R3/XSPRIyogCBAI2gw8v92AXYvqiQSNBIsolZG8"
     "/aktQX/xVylUBf8KWir8"},
    StoredTrees{2, 4, 4, 4,
     "/9tIFdIulJcFVcF/8l/8qrAmr1Wj1Ueq/wgAEAgPwgIVrwWlgUVv/+v/As/AM/FMWGq7g39dv1VgOqgwggHwip82qc"
     "LwVQ1/31F9VPyqKMgVQgVYgfg/2qP2gT+RSkqSoq/8VWWq/w/9qAVhC+lCJdUJV/KqVQALQ/ap/UBP/BDyqCoACojQ"
     "bz/QQBPVdq/+bFCoFBAPxA/yM3AbaqVaD/8yAArACDKqDaarzAP9NT1hS+9YyVfwV/yq/xCnA/VHbWqU8A/zwCnwBf"
     "yFaqTw"},
    StoredTrees{3, 0, 3, 0,
     "d2Zmv/8kBU9w/8/AAAV/8cr31//8KEtbq/8xdWdP/89ycdK/89ycdK/89ycdK/89ycdK/8"},
    StoredTrees{3, 0, 3, 1,
     "AhWvb/7/AVpdG///FNV32/z/q2ratq7//IAAAV3/ar9j3w3/ar9P3F3/ar9DHV3/ar9DHV3/ar9DHV3/"},
    StoredTrees{3, 0, 3, 2,
     "/KL0I0S5/wQqS1/aPw/w/IgBiBn6/wGjXPXJ/6/w2sHHHL/7/wl1f1/VG6/wWX1avZQ6/wXJ/1DVZ6/wHJJiRv/1/w"
     "bNZ1/a///w"},
    StoredTrees{3, 0, 3, 3,
     "BAD9wDc/KwAAAP939RCKgAGAN989cKKAAPEGatWB/MwAPDA2pJf/LwACd4nW9V/KgA20z90NRmKgAYtUdX9q/AAA/K"
     "gAAowVFQAv/f9E9dIKgA"},
    StoredTrees{3, 0, 3, 4,
     "/P01qSWpX4LPtKm/VYNVi6rv2ayVDH0P/8vvbapxAP0B/8vv/fcZVxGr/x/P/KoAAgjyZ1Xf/ENX9PZ0L6vvAComqX"
     "WD/7PPYlXSq/0DD8D/V2j/dv12Y6rv"},
    StoredTrees{3, 0, 4, 0,
     "/x96lU9/oCEtW///KjfFAqu/BxU39of/XxTatBM//JqH3q8/fdLWpms/vQvQ92s//Wjat2s//eLat2s/"},
    StoredTrees{3, 0, 4, 1,
     "/yAAAAVdfwVV/2/2AMPwaq1b1bf+/waq2qGqf+/waq2qGqf+/waq2qGqf+/waq2qGqf+/wao2qGqf+/wqtqtqtquvw"
     "ALWqWq///w"},
    StoredTrees{3, 0, 4, 2,
     "bN3yf/XE+X81Qj/Qg2UuL8091r1UF/+v8FJxytaz/+v8/ygAoKCVdX8CCiSAac///8WndVX/aAMD8/BL/WDVi+j8mh"
     "f/U9VI+j8/xT/Utlk+r8"},
    StoredTrees{3, 0, 4, 3,
     "YIB/3f9dv+r/mnXVdf9lAOo/aq3aaRRq/8//aqHYahhqf+D/DBdkq1mD//L/anX/1f9Vb+r/vdm/2YBdi+o//ykAAS"
     "oyVdx/1yo/1AvcFuW//zUP1Qppv+r/"},
    StoredTrees{3, 0, 4, 4,
     "AxcZarVYD//D/w/yqDaoLWAU9xDwvw1gD1iilleqbwaip2mqGGq/8Q3w3KQv91gJ1S+qLwWn31VUf2r/+PzwZd2f91"
     "/11BuqrwGSrVwCf3y/+k7wnSqf9f/dfl+qrwahN/9pD1BIOqLw"},
    StoredTrees{3, 1, 3, 1,
     "UJQFG/zMP8BkGQWf78f8dt2v3F18v8/Spatq4rP8WNY9bP6Iv8WLYBg/8I/8q3bT1D4C/8/ctg3M82/8/cpyXC8R/8"
     "/cpyXC8B/8"},
    StoredTrees{3, 1, 3, 2,
     "v1v1g1i6lF/wWKWAVA/6PL/wUQ/2NmL6nA/w1d1d/aP6IR/wBkBpNZT1/K/wYbYfaa/8zF/waq/acf//Us/waq/TPX"
     "B7yx/waq/a2bFwPF/waq/WbUc4/F/w"},
    StoredTrees{3, 1, 3, 3,
     "X1P9UDVK6ZRL/mdZnWdpv6olT/NKv9ANQC6vwP/BFQalmBf8fyr/1gVXX9qP6CIH/YL2A9of/2zyv/FqBVU1q/7/xz"
     "/aqv2otrMw3zH/aqv2rZ3F1Dyn/aqv3Y9HB68sX/"},
    StoredTrees{3, 1, 3, 4,
     "GKhUA/T3/3b8q/81apV9v32P6sjB+8GKBZqV2f/6/8K+8nf3/aQN1J6mc8u8d2p/X/V1D5UEqt8AKgAoBmgX6P8q+8"
     "lAW/dY19i6q8JO8/ffRV/2rAwBJ8c8Nqn2q2YCf8P8U/8Zl9mq0WB/7MCLM8"},
    StoredTrees{3, 1, 4, 0,
     "QWjdFVf/H8FY9n3r//P8r1LalA9XT8atq2pqsK78DaJk2///P82AUBQP9/P8vb9x1r/8v81bdJ9oOlD82kYhgP8R/8"
     "2kYhgP8a/8"},
    StoredTrees{3, 1, 4, 1,
     "1bld/ZF+vyfwVCVCXY/fhy/waoaq1Nv+Ks/waqaq2Jf+aI/waqaq2Jf9/y/wQGWHWH/+wx/wqhqhqhqu/wvwatal2l"
     "/+CX/w/1/2/2AMVWPwASAYAW///w/w"},
    StoredTrees{3, 1, 4, 2,
     "ACoA2aFn+v8p/PSj/QBkC+v8I/ap0mtJw/+Aqv/VUP/U/VL+mXD/b9V/X/VAOooS/vaU3VtVc+v8Q/31T/UA1Auh8K"
     "/1SdVH/dBdS8o//Wm1p/T//2BX/WvVqXVaf8Pyz/"},
    StoredTrees{3, 1, 4, 3,
     "/3VoVf9qAOAjTD8bZdpqlGb/+8MzP8VWjVav92z9ZKKv8PSg/0gCUgur/KL8WipaNNA1v+lTKv8AC1ARVpqVcD/MX8"
     "Har9q2VDb/P/F/811GU3Z/d3+n8Kv8lEG/3YEVS+r8gz8Vdb/1i9WL+qV/D8"},
    StoredTrees{3, 1, 4, 4,
     "VQAVavf1V/+qfwA7wDZdTapYdBR+x/wqDwbavbarfUA//DIxT/wl21/91AF1Iuqhcqrw3WpnX1v31j+qSkkLw/dtD9"
     "pAZhC+1nKqPwED1EBVGmqX8A/zxzwHSq/9gA1ASOm/wqrwWir1Gq/31AdVLyqbw2irmgMVBv/+vjCs3w"},
    StoredTrees{3, 2, 3, 2,
     "ZrdjVb//8Lvy/w199NPV/5JKLz/wtpZpZhb6/IgM/wAAmlmN11fK/A/wv1g1iVm6nA/w/wWN1911/6DKCI/w3YP2QW"
     "b5dy/w/w3VHV/aM0IcXV/w/aKQPTDzCBBK/w/VNaBYDzEnMr/w"},
    StoredTrees{3, 2, 3, 3,
     "Wo9atWP/3wBcIq/wWtFhZZlV6fyoAC/wYDfalEhT8fCr8J/wXU/2o9ww6olJVx/w9qjfT93P1CCvwr/wD2n9NAc/6z"
     "Jwis/wBamUBlqTwPzD8V/wZr0c/3Wb6lcz/B/wn1ZpWQdn6nyH8K/w/2kFhdZW6twi/A/w"},
    StoredTrees{3, 2, 3, 4,
     "ADb/VwNUS6r8Rfyq7w9ao1Um21b6pUKP8U7w/V/1qh2h/9cylzKq/wWr1UKdWpXwL88AKozwmvWa9Zh1l6r8ogDy7w"
     "X2/Ta/1rD7QgVFKp3w/0MFdP1nw5SIqMFC3wbY9taU1P/5gxLCVM3wWqnWr9YM/68DLIsc7wZqRmhmX2X1X8qvwn7w"},
    StoredTrees{3, 2, 4, 0,
     "/UdalA9UahPw2vaB9UP/CoPwatA2nqsKM8vwP1qURn8lxW/whatQV/+nP8/w2vY9one/C8/wVBfZFr/8Hw/w0FVVdp"
     "8fC8fwr1BX1n8gpC/wmr9gWn8/Cr/w"},
    StoredTrees{3, 2, 4, 1,
     "UYV91NlePxvyfwWpWB1Zn+PyKo/wD9qB/1D+xB/y/w/2AGPXL9kSUb/w/1KlEGL8fI/J/w/3P3D3IOIM1cPwVfVa1U"
     "//HzPz/w/a/UqV/+Dxzy/wYAWrWjX+/x/y/wql/1I1quKlC2vw"},
    StoredTrees{3, 2, 4, 2,
     "/fT0EfVE+TwpVyfwYAF2v9jZ8W8L/KPwhGtVQ/aB8AowAlfwXXf/UPVJ+vwNvy/w3Vj/QAUAuoXBvwvwf9UFX/VM+S"
     "iV8qPwWl9r3V1/+Qwoqr/wXV/9ovQ//wBUKa/wvaYWGNVm+p8C/yfwm/dj2aNndb8qAw/wDVG/ZjWaOv8z/MPw"},
    StoredTrees{3, 2, 4, 3,
     "W3XaZd/Vv+rKAkps/wB/VkNW9lZNV/Kf8KfwXWr9YD9qD8BKcElV/wD2Bj3W9dceH/Kv8wPwEBRbZtpWX+p/EP8w/w"
     "/WcLav9UP/UglRSq/w/1oN2j9aFuBXAP/AvwYAdlq2WD/+8KqyAL/wv92/2YBZi+q/DIDMPwXap9wv1qb+hVzP/Mfw"
     "WgdZ9/03H+T8K2yC/w"},
    StoredTrees{3, 2, 4, 4,
     "3WqP9qQ1qS+0/JX/KrHwWg02/1Gj1/9VICqLKM3wnX1v9VgNVZ+qfME/8oLwfVfR1X1Wq/+fDEsClczw/2qGmq2mgl"
     "eqvzyQHxbw/9lAJFKFFVuV1Qqv8ivwbaqXQP/ZfC+lJAqv8grwX2qf0Q/2qIPAILwWSkDwR/1/R1P21yMVSiqREinw"
     "AABbapbUBW/B/x1/yqPw"},
    StoredTrees{3, 3, 3, 3,
     "9VWVVtqf4/zBVVVav8Vdv9YDWL6fJHyilsP8AEb2r9oPwiwwAI/M/8/aimj9iAyAkwKIP8/8Zr3U91v/zzwcKLP8/8"
     "2afVEdq/zBAUgqIqf8/3UFl9Z26Zcq/E/y/8mlZhWZpl6nyH8yAFf8a0FrVY131byqKAgSv8Wj9avWD/8wxwIsCzP8"},
    StoredTrees{3, 3, 3, 4,
     "P0Dadxh0HHY8VgBW/KsQ/0NAaNBv/K9HHP8c/ygQRqBkBmX2XFf8qACAPzIwUABdqv1jPLQgVBKoEqAQbVFRn32p/A"
     "Mi8yVVJaoAVPb19z2kAKgJ8gryAPIg/asxU/2T2KCcAH8AUFUgQPb/dwN0JKUMqvwDPAIQ2h/WqdUD/MMElIioiIww"
     "moGYPZZpnKp8KfyqAAAg"},
    StoredTrees{3, 3, 4, 0,
     "PX9algTKcqgEABD9gm/wUP8/zAF2vYNED/FVpUAABq1hkw/AoKsAUFfZ9owBMozwA2vaNqUT/AAQAA/UBX1rwAJCY3"
     "AvbV1Uly/CoIBAatAmrlx8vwvLAr1BUpqgpyrVaA"},
    StoredTrees{3, 3, 4, 1,
     "ql/1A1Aeky/w/8PwWo2rWjV9/ygAgIfwVa1UvVl+PwKgL8fwv9qFq1quKcC8Chvw/1BF/1BOyglU1VfwZHT91NP+fJ"
     "/K/H/wAA/a2Y//FTPz/y/wb301HV/+ACACAL/wWpVR1Wl+PwL8Chfw/Wf2/2A8AHSpVWPw"},
    StoredTrees{3, 3, 4, 2,
     "WmtpBZb//w8sKVCmv8X2v90/Vb+mED/MTxf8A/VT1VFX9fwr8D/wv8f9mBZvWcev8JPC/8j8nXb/WPVhuoXC/wgAL8"
     "nVf/Ug1L+hyT8o/K38/a31Npa/8Atwq8IHP8/RxtraUE+r8xVBVSr8baVGn9h2+lcD/wanH81Pf00/dQOUor/Cfwj8"
     "f0E3X/VF+i8EAKYIn8"},
    StoredTrees{3, 3, 4, 3,
     "XanRgT1qG+gXDL/KWHF/AND/3SBdIun/KioS/yJ/v92BVb9VgOqKEv8y/zI/b9da19pr/888lyyqLPz/W/RYNVrV3+"
     "V/Kf8KmgL//RdlqWWBb/H/FYAqQAL/2mr/aj9oP+DKcErwSpX/GkRV9X01T9X/Kl8K/wz//WofVP9lNeUvKlVVVWr/"
     "f/b/1gNWQ+p9yP/Mv8y/1Wr/VD1UL+XQKvyr/Kv/"},
    StoredTrees{3, 3, 4, 4,
     "AAAZaqbQAV9w/ykQCq/wozw1GqVWq/0AD/VABVVKqVGp/wWpUWhVWmp3+lfyq/yCAMU7w3UP3VrfVj/+vD8sKFVKmq"
     "3w12q/1QP2qDMACnwSqSWhyDwZavVcP/Zfm+qlwov8gv8gbwv9lgJNgNpVuqVUC/8gmjwrw2tP2P3FBE/+nzyoyhcS"
     "is7wXf2/9WAFWI+q/Ij/Pz/KjLw/b1JT1/31EeVLypAcqAVCXw"},
    StoredTrees{3, 4, 3, 4,
     "Vpf3Fz2qDwAJ8grySrJ1Ec0/2tDaP1ry6jMIIkoyipaau4Vfb/ZwNkC6onMVcx/ypBRO8dUVmqmYCf8L8p/yH/Ktmq"
     "vwVq/WqtcB/7MyUiJXIqkW8s4ZqlUT9Wv/6+QrJAsvKxmrOw/asxov32B1U8qiAAFfDVVN4ADT/dj1lI6V8qkQA/AD"
     "8A+w2VMdqd1jv6rMKMEASlVNqu8mpXYHRhd26q8AIMAgTCbMe0v3Wa9Zh136r8MgDwCvIJ8ew"},
    StoredTrees{3, 4, 4, 0,
     "AGvYh/zUNQ/yqcAEDfaBgQPApCoKwIFH9T1jwgCCkKgcIP1qWhgx8nx/K8QEXSTZ9oADAMxQVAAlbV9UVz/AAACAEA"
     "0PaFmly/AAJAPEAr1AVp3w/IAQGTcA/cRqlAzKcqyrRgEatQ33qgJwnKtqoM"},
    StoredTrees{3, 4, 4, 1,
     "/9qJ/1j+CkCoCoqp/QVEVV/2AMADADVBVCPAWpVB12l+PwIwKof8fAqp/1D1qulSlQvygMvAGoWrWjVc/yFQVS/zfA"
     "Wr/a/Uq+KcCcK82qvwgBL9qNo+EwEQPyPxPA/2AG/1ANwCykSpZ2PgqVH1YV/+AyACAXgW/ARaZYRZ//fJfJ/Kab/g"},
    StoredTrees{3, 4, 4, 2,
     "lNf/WD1iOoUKVC/87/E8v2YDX/VC+grAnwlbP/y/n/dj0aN1eb8qUQVMP/B//2hpzRaP+MhzK8SvEGT9Wvd0Xf9P9R"
     "MoRNPyRpL8/aW3FhaY8P8wBcg/Fpe/bU1WtlD//zyconLK2mv+v/X/VNlQ+Usp/B/wgBS81WP1o/UAOAMgKwFVdVo8"
     "ABv/YAWIuCU0lJbyv8S8"},
    StoredTrees{3, 4, 4, 3,
     "/2oaVBFq/+AjMABwJfMFkv8vb1v3WFdW+n/Kj8RFVI/8DwWmjVYlVj/8/AjMoKSlVaavw/9oAVD9WCOZKKkoo/xQAL"
     "Dw1Wr9agNoguCNQpXwv/DV8L02/WQFf9VM+UgKiBEUKhYAD8nZm/0YGRi+qIwofC1TK/8b8ADba9ho21dY/KUABQAr"
     "/AHwbQBBq9FC//MUFxQXPyppqvw3asdwP1pA+I8HBScPKRYy74XRf/1gDWIuolCJUAv8z/xLw"},
    StoredTrees{3, 4, 4, 4,
     "barVUDVVT/+vVAMVxM/ysQUs7Af9qQJvbZv/+EPJXPBXKKrbJD3gWQD39q0VAG+g/wlPyFFSqPwCLA/2qP2g/2qA8A"
     "ALwKnwFfw1VwDwAP12r1Gj1VdV/yqQwAQQA/zwXA2kf3aq0UAv/AwClwIlSsqWsr/A/aPbapbVBQ+x/yhXcF/8qWaj"
     "jwWmq/9qA1qIu1Jcqlco/8q/8ivQVVQ/WqP1ACONCkqiqCRVVVWqHgmqVnQVkdVk+q/wiKHyKPymKVrwlX1/9lAFFC"
     "+qiwgivwi/wlTxrQ"},
    StoredTrees{4, 0, 4, 0,
     "QNg2rauv/8fygaBoEV3c/x/H9q1gzcpQPAUBSq7M/ULQBqVP/c/cTRB1Wv/c/cLQB2X//cKgqb2/a//s0yVFVr2jzc"
     "/L8tSnWjzs"},
    StoredTrees{4, 0, 4, 1,
     "/xABABANVecwAKqJ2J/1A+OwaI/0AGL2a+Nway/0AEL0aNNway/3AEL1qutwSKSgVb1bP++wVy/yqhqho+Mw/BVFV1"
     "/WB8NwEXIXfXf3//9wqtV9Vd/1D+/w"},
    StoredTrees{4, 0, 4, 2,
     "SCf81ppaZf/r7KJyisaaWX///3l9b/W/1/1Rbq/U9P/b9X/V2/r3/wj0QJFJRf/rzlSv/SA0gNJvp/bAFQFUl/2sPi"
     "7Gnd1XVV/2gDA3/yQAoAdimVXp3yisoJpx2Uj/X7"},
    StoredTrees{4, 0, 4, 3,
     "GiCdStVq/2o/0PcPyiAAYARinH/6vMb3dkVVVV/2rA6vc/yo9NAU0LRRX6XMldW/1X/V/10W6r8Wyj/0v9Q/1Nh5Dc"
     "LJMsq2SDXYL/8/sUCz/LJpKVW//z/czCVKKlWp3Wq/6vsVYr/0IAdgNma6nM"},
    StoredTrees{4, 0, 4, 4,
     "Gn02VVFVV/2qP+AxwYAg/wMWmqVWq/+z9wzw1yiqSEfSmv/8v5wlwpv9RgNVgN1meqbw/yMAD0AD0ih0/+r4w/yqPw"
     "gKagKbwV9VWwZdo/9q/1C/1TZusZwbIqfKof9B/1CA+wDw1ylP9NPVNL1pVOqpwLBXJKrZIBf0C//D+w"},
    StoredTrees{4, 1, 4, 1,
     "oNoNANANheLyfw1GfWfXf2//xx9wWnWHWd2Z/+AH9w2lGG2U2Uf8aM9w2nGG2U2Uf8aE9w2kGG2U2Uf+a89w2b2aGb"
     "WX/8aI+wBSB0B0B0X9/y9wf22n32/2AMUQNwqhqhqhqhquiisw"},
    StoredTrees{4, 1, 4, 2,
     "f9dDUUVP1QDlKyNwCjQoUYFGmtXT/JcwWmN92UdnVb/qAU9wQC9oNaPVT//o/L8w1atVrVa/3z/Usq9wQZUWlFpbWm"
     "PD/AuwYCmBBgQf0P///M9wj9b/VA1QFULr/KvwX9f/U/1KtSPmVKPwTUf/UA1AZQvr/CPw"},
    StoredTrees{4, 1, 4, 3,
     "QHRAdkB22mUR6r8QNwi93/3T/dJRUn6v8qfwCioKBBoEGjT/1f8q8wRZf/aj9qP2kA4UpyNwYa1lqWWpbWp/wP8R+w"
     "XSr/0IDRgZGL6p8oPwb99gW2VbbV//7wks9w0XWVVdVV/2kL6ipEtwfUH/2QDRANEC6ofAvwGpVZqlUAVQD/8CCr8w"},
    StoredTrees{4, 1, 4, 4,
     "QIASn1YalYWl/+qvww6wQCrakrWn0/1nP+oKiy5wAA0QCWQAWbT2QdV/yqkw/X111V1VVv2qwMMSmlBwCCqP9gABQA"
     "ZQC+m/yrLw1Cr/2qGmqGmqF+gPzyZwbaqWarWUAVUD/8zAJTxwlClv9FgBFgFNguqnyiqwU9q/9gP9qJ9qJuo//zbw"
     "f9PYBfWtfX1f/+vJcM7wWlf1arVUA/UDz/ASqg9w"},
    StoredTrees{4, 2, 4, 2,
     "v3Y/WAVkNf/oMkLLPc1Wv9gFZBWv/AKcCl/cXaf2E9lbWmfpUy/8Tcm/Vj1a9WjV/n/KgCvMWh9prfU32P//8HWKvc"
     "Xa3/RFW/1kDhKN/yjcAAGr1qNamVXn/K/wn8/fT0V9V/1S/UhKFaPcba1WtVD/Y5vmUCv8Hsf99PYU0P1JbpVAf8L8"},
    StoredTrees{4, 2, 4, 3,
     "batVg1VDVU//9wCXLKv32/cY9Br0GjV/1fwpaIrz30Mf2hBaEFr/7/wkaKr3v3WB1X2VbdVv6mXI/8x72vcaNRhlGV"
     "X/5coqSvz3AB3baZpxmnGV6n8y/zJ3a0do9G01WZV/5f8pgIL//2c9an1o/2gPwixyFVL31Wr/VA9VD2pW6FcM/8W3"
     "2AP9q/1D/Uob6pcAv8B3f9B/3UXd/1mA4Yoqfwg/"},
    StoredTrees{4, 2, 4, 4,
     "WAP1arVYA/UPK/U/CX/KrNwX902hFFd1FRVF9VvyqgCoVw12q/2AD2hD2q/8PQEsS1UxwQD0av2av2/9WWep1wqv8y"
     "Yw/apPYRfZV/2qD+gLLwPKh7wb9PWpfWhf1W3//1PBVLKq2w/ar/UD/drbZqb+kbcU/8obw2oP2j32v3Wj3/+nCioC"
     "sM5wAAB2v1VBVf11T91Siq/yC3w/aTb2qZVAX1AUOl/yFVSqJwv91gJVmhVmlVn+qfwg//w6wWgN/9pQFVUF11ullw"
     "qv8Arw"},
    StoredTrees{4, 3, 4, 3,
     "Xav9q9WDVY//98CVxKpKwvs1Wr/fQVdDWmD4YAqQEFTSjcv92B3Z3Zv1nW6pXAv8D//L8/ffdB1VU/2Q/xyApIBVkq"
     "vcbaldwVVp/Wov5D8MFIw/yfc/bf91iHWIdab6lRC/8L/8HcZ/Rk9WU1fXXT1X8p/yqAyr8/Wo/XH9d/2oA4QpyCfB"
     "FVDcnUX/3UBZYFVn5VxN/8qP8ncAAFa9Vr1WhVV5f8qSgj/AHMWhfaalVQ32D/7wBHCosvw/c"},
    StoredTrees{4, 3, 4, 4,
     "v9B/9VWpVWhV0RVfxV/yqAAAEAf9A/932V33W1/x3/BXVKq/BA2A/QQP2qAWADWAJzUJBUFKobKiNAAABf9vQNPUNv"
     "/yPABcCCXIKr0AR/0/f1Af1I2VFip1QpP8BZAqoAAAAmr1Wj1V31VBF/yqQAF/yqSA/QPaamYYHWUHWy0/wolMSf8g"
     "lA2v30AUEdUvWVmyql0A/8oj8AbAP9AQFqQZqZZqbyNUMq/8Q/8g2AYarRUARd0/dU/xXACoygMSgM2A12qP2gD2g/"
     "2qDwAILwIVwUWVxAgRRv/1vT1/2lAiqCkACrwKDwLA"},
    StoredTrees{4, 4, 4, 4,
     "an9ZapZYBbYBd+x/wqivynfyv/yRQ2oPWCvWv31T3/+nCioCogCo3Csr2Q/32P9WPZWP1WAOqikgirw//wv/y5QWEX"
     "/2qAVAH1AL+xFAqlAoXFV/GqBgbarXUDVdr/dnG+FFwqFyAnzwvwwFA/dAGb1WdVf2l2+V1SqlQAfxCWPyXAABq/9o"
     "AFAAFqYuUbwVfwV/yq/yCPAX91Wr1Wh1Wmq08A/zwCnwD/yD/xawf90QF1f11/11De1LyqIMBIHyY/w9gVaoVf1VR1"
     "/11F91FyqFQNfwqVfyvAf2q2mAGmlPV1h+q/Cj/HzlfylRUZwWpf2pf2hfVWv//fAJcAJcLKsLKsygnapvf1gf1iV1"
     "W+qVcFVcF/8q/8wYA"},
};
constexpr std::array kAspftr = {
    StoredTrees{0, 3, 0, 3,
     "6sLAxP86wcKsf81SorAv86FVVav864y8PP8w/wqa/86/wqEP8//wqAP82/wqAP82/wqAP8"},
    StoredTrees{0, 3, 0, 4,
     "6rAsCxTv6+HL8/zv4AKioaDf0UqiraLfwM/CraPfwMUyraPPwMUyraPP5MoyrkHf/8rAcDz/6BVVVarv"},
    StoredTrees{0, 3, 1, 2,
     "+iMjkf8+7Kw8f8/1xc3P8+QoALP8cMXF2v8usAIBv8NstC0/89/wqQP89/wqAP89/wqAP8"},
    StoredTrees{0, 3, 1, 3,
     "dXKnD0P/urC8qGj/+ogDDsn/MBVVV2r/+syC8Lz/+eCooRb/+v/CqAX////CqAD/9v/CqAD/9v/CqAD/"},
    StoredTrees{0, 3, 1, 4,
     "+nyrQD1B7w8AJVJVWqzw//j9ABCq/w//j9ABCq/w//j9ABCq/weqwqBoCo7w//H8n838/wuqsA8CsV7wNdSqSq0r3w"
     "+rCgChIq7w"},
    StoredTrees{0, 3, 2, 1,
     "/wZLx/8/qA8TP8XPEFJv8DVLT9v8vktNxv8/kPBxv8rvCy8P8rvSktf8bvxq9P8fvwqWP8"},
    StoredTrees{0, 3, 2, 2,
     "ABXVV9oAADQ9K/wAADQ9K/wAADwwK/wAADyvA/wAM3JQq9AAMUCkDwMAoqsP8hkA8swKCWQAUrwjwLAA"},
    StoredTrees{0, 3, 2, 3,
     "/qoov8Rs/wDoVtVZ9q/w/pyCSzxZ/w/Hw2839r/w/VAqCoXM/wrq8oMCIw/w/9wVyqxD/wXq8DrKvF/w3h/KKqRo/w"
     "/r/AKqGA/w"},
    StoredTrees{0, 3, 2, 4,
     "/qxyI8FLKu8//UlVKq9Av8rqvKsBiIqu8/NMK3KpVqt8/gwfRFXxq88/9wKhCDx898XqvPy/8hVe8/VSKogoIvN8Dq"
     "iKzf89qu8/qrADz8W/O8"},
    StoredTrees{0, 3, 3, 0,
     "AxVV/f8qwsLK/8v/Dw8P8/3LSvf8X/yMAf8v6woVv89ywqIP89ywqIP89ywqIP89ywqIP8"},
    StoredTrees{0, 3, 3, 1,
     "PxVVV/b/r5C/J/b//+AkD8f/q4IoiCD/V38jyLb/v4gD8gH//7wKwUz/b7/CqJj/Q7/CqfT/a7/CqID/"},
    StoredTrees{0, 3, 3, 2,
     "/6oAr8nZ/w/4BCJK/a/wD9kp0q/S/wo6SdSV/a/w/zAEQr8b/w/6fI/8T8/w/7/DPxIy/wV1/K/AGM/w36/wKqRk/w"
     "q5/yKqAA/w"},
    StoredTrees{0, 3, 3, 3,
     "W7VwX/KEwv8/w0itLK/bP8A6qXSlU/aP8//RJUSq/Q/8r6ohS/8hVf8V1fyr8AGDP8/60ChDD8c/8/6/wsAJJiv8/6"
     "P8IqyUav894f80qpQav8"},
    StoredTrees{0, 3, 3, 4,
     "/0UgqgKgJgzf/5cgqCKi8fPfZwD8qgBELKrPP/0iVdKq/aL//6ohKL/8TXzvAwBZ91V3/arP/6oIvAs8lynv3zf8q/"
     "wrGLLfm6pVHf8dEarvr6qzAnMr8xXv"},
    StoredTrees{0, 3, 4, 0,
     "qsKAoKu///8pSf3/ANVX1/0/q8M8B/G/j8ADzKb/Vf/P8gF/v+tCEVz/aP9I0Ay/aP9Gk/y/aP9Gk/y/"},
    StoredTrees{0, 4, 0, 3,
     "1SoLKhT86wMiopn86nREdEz96nREdEz96nREdEz96kTExMz9wBUVFWr86siAaEP/5woAK0b8/7y8vHz+"},
    StoredTrees{0, 4, 0, 4,
     "5ePI8yzPN41UqgrCsAtw/89Ckqx/PwwM/D8Klqsw6s9D0JxKuw6t9H0axF+06sNM0/yUe06oUhS1JqOw6vDUpSlqu8"
     "6gJ1FUVqu0"},
    StoredTrees{0, 4, 1, 2,
     "+jAgsNb/+wMDA7H8/0xMSNz8usOy95n/OojCQtP88BUVFdr9dcpIzAT89yQULEb+9zQULCb+9zQULMb+"},
    StoredTrees{0, 4, 1, 3,
     "+cyC8Dwlvwuqcpg2iUf0MB1XVdXav8dXKsoygHPw+/C7CsJxf8/8KxDLPc/4+vPEqypWPw+oNB0KSzP4+oNB0LSHP4"
     "+otB0LSHP4"},
    StoredTrees{0, 4, 1, 4,
     "uqcBcBcB2q7w//z8L8H8H8/w8Dn0n0mkGpzQ+qCoMDICJD7wuqn0X090mp7QOqH0n0mk2r7Q+qL0L0GkGr7g+oxSRT"
     "xVWq7A9VCqCqCrAq3Aeqwj8C8C8U7w"},
    StoredTrees{0, 4, 2, 1,
     "riEhIbb8vgAAvAz8bkxM9LX+bkhI9Pf+bkhI9Pf+/wKItHT+XfIyMSL8vkNDwhj8/ojAS8f/DNbXVfb9"},
    StoredTrees{0, 4, 3, 0,
     "/4AAPAb8A1VVVf39X/y8rJn8vyAiK1H/H/Dw8PD8rwIDAiv+qwsJFSr9twwJCSr9twwJCSr9twwJCSr9"},
    StoredTrees{0, 4, 3, 1,
     "/2AoEQvx/8n7U9TlI9Pw//yfJaL9/w/xqWh/VZv4/5qFs/SZf8j4jFD8b9/4q5IEg/yDPwA5pFU/T9/0X78DwPAmfw"
     "l48CiKEYvw"},
    StoredTrees{0, 4, 4, 0,
     "Bt/EURT/Tw/+UBQlD/fwqsKyDIMl78v8qKgvJVvwq8IYBymKb0Uf/AchyPXwf/8ryvL8f4qukCQLwQLwr/DMoqj/fw"
     "qMpJEU3/bw"},
    StoredTrees{1, 2, 0, 3,
     "vf+8vP8aNUqaP8Bu8DK/81esyQv8a+ALyf8WurFav8aclSZf8YckiSf8ZcmiVf8ZcmiVf8"},
    StoredTrees{1, 2, 0, 4,
     "vX/z8Kv/1XqsCxLvYbP8ovz/YbP4oHz/YbP4oHz/YbP4oHz/Z/KArVXvajA4oHzPADVSqADfWrn1Varf"},
    StoredTrees{1, 2, 1, 2,
     "ZfozI/8AHXKwP83f8sTP8lbqAsf82zBV2v89joqJP89zgqIP89zgqIP89zgqIP89zgqIP8"},
    StoredTrees{1, 2, 1, 3,
     "2r68zxX/Wr4yKIL/mW6rIsT/b3/8ozP/2sxFV2r/0B1cqSr/Br6w8zz/9s6CqID/9s6CqID/9s6CqID/"},
    StoredTrees{1, 2, 1, 4,
     "QAdVyqAo3wGq+/gqyX/w2EOqKoh87w2EOqKoh87w1qOqKoh87w2DMoKpWq7wb9//L8j8/wdF+qxDaC7wmVuqVW2q7w"
     "2qOCMo8xzw"},
    StoredTrees{1, 2, 2, 1,
     "9Q6whP8AF3y8P89a4sXP8W/8LC/8pf40Jf8hnxR9v8/S4oPP8/S4qIP8/S4qIP8/S4qIP8"},
    StoredTrees{1, 2, 2, 2,
     "tqOvVJr/Bmulw9L/W//wsJz/oFevKgH/Fr8DLGP/9g9fKUD/Da+aC8T//cuCiPD//cuCqID//cuCqID/"},
    StoredTrees{1, 2, 2, 3,
     "dp/yAyKr/w9oDqrIVS/wpBXq8niJ/wA9/f8s8s/wpqv0yUyq/whlrqVw9w/w3YPlIqcK/w1qPhKKfF/w1rPBKlVq/w"
     "29PVKqyp/w"},
    StoredTrees{1, 2, 2, 4,
     "Rqf7McsvDN8Paq6rwj88+8mVf6qCsyhO8Zql8zz8SfM89qg4wg8/FM89AD1XyqEIN8ZqnzTJVSqt89qz6hGF9qu8U/"
     "/6/wqY8u89qv9QBWSqf8"},
    StoredTrees{1, 2, 3, 0,
     "kT+gXP8a6srK/8lv/Cwv8BFf8/P81b9V/f8/QMolP8/SsqIP8/SsqIP8/SsqIP8/SsqIP8"},
    StoredTrees{1, 2, 3, 1,
     "/YDKyln/ff/sIYv/qWrlV/b/1r/zzQL/na/isGz/ABXfy/D//0rioPz//0riqID//0riqID//0riqID/"},
    StoredTrees{1, 2, 3, 2,
     "ff//BcLb/wo1S6Sz/y/w/ZD68Dkp/w2AV1/KAA/wDZo6pA/M/w0aPwUl/a/w2pP1KqWV/w3ZP1KqxV/w1tP1Kqyp/w"
     "39P1Kqyp/w"},
    StoredTrees{1, 2, 4, 0,
     "n2gyrKs/amq1V/2/ABV/8/x/1b/zyBz/q0D88UU/fev0A/L//cp6EVy//cpykky//cpykky//cpykky/"},
    StoredTrees{1, 2, 4, 1,
     "XT//oyaD/wlZ/+Dzii/w/2quKlF2vw/2K+/I/8fwD9q9/B/yfw/9K9/BRyfw0NP+DBLy/wqhq+TM/Jvwr2gMVS/2Pw"
     "/0Vd/yQUfw"},
    StoredTrees{1, 2, 4, 2,
     "/3QDUqKVQD8oNYbqnA/8b8/9inb/GRCH8W///8MHCi/8AYP/o8kLKP82gFvr/MEyr81Wj/AQcKlP8D2qfpfE/zD8r2"
     "UvpFx/2n8r2ovqFAv8H8"},
    StoredTrees{1, 3, 0, 3,
     "WupQUGL/reuMjIn/aN8lJWr/a+DKwsX/NP8oCDz/QeUqC0H/1es8PBf/ZMorSlT/ZcnJolX/ZcnJolX/"},
    StoredTrees{1, 3, 0, 4,
     "ADVSqCgKN8v3/yoIwB/82rvz8PwfP8Z/qhDENku8YTP4Uii/P8YTP8UyifP8YTP8UyifP8anI8CwyRe8a/BEVRVqt8"
     "a/n8hyrFc8"},
    StoredTrees{1, 3, 1, 2,
     "ZvsoI2f/2jBFxRr/tbqysLH/X/9cXNz/AHbLSsD/9jUKKgD/9jYIKgD/9jYIKgD/9jYIKgD/9jYIKgD/"},
    StoredTrees{1, 3, 1, 3,
     "tW6rCsCxf82swFVVXav8b3/y8LxvP8Bp6sDSvE/8U39wcCNS/89E6sqwoyf89g1QqKgAP89o2ggKoAP89o2ggKoAP8"
     "9o2ggKoAP8"},
    StoredTrees{1, 3, 1, 4,
     "Zq+fL8j8b83wVV+rVAVD2X7w0DOgj9ABCq7wgBuqz9ABCq7wqhOhD9ABCq7wD0//j9AByq/wWDcVyqCpUq3w1N+ryT"
     "CqlB7wd1+rsS8i8k7w2r9DCVIVWqzw"},
    StoredTrees{1, 3, 2, 1,
     "d/4MrFv/nX7wPJn/9gxVVfb/pa6g8Dz/AP8TMvD/Wf4ICGz/vf0yMwL//R0yKiD//S0iKiD//S0iKiD/"},
    StoredTrees{1, 3, 2, 2,
     "9WuqQrCZf8tpMvFAUGv8W//8cShbP8rX+izBO8f8QV+sqyyyf89o+FSVL0P8/QtiKLAmP8fb98I8xi/8AEdfKcrwv8"
     "/ctiIKogP8"},
    StoredTrees{1, 3, 2, 3,
     "tq/AMw8rFh/wd//VMqcARr/w9hDqooowsx/w1qP2CXCmSp/w2pPqFIKCfF/w2VPqCCCzWV/w/bHo8D/CLw/wpZrqVF"
     "VV9q/wVq/vzMCsZM/wAEf38qQc8o/w"},
    StoredTrees{1, 3, 2, 4,
     "R/f5ecq/IPxDf9Rw5QiW8q1kL/VqvyACUCpFgzPUPf7cAUIqGAzfEQP0UCqAoQqLfhla6pUCV8vZfvWaP7cIUilMqj"
     "fHal5fyr8AfPLfZqm4Xz1AVQarvdjf98BcCnIqnP"},
    StoredTrees{1, 3, 3, 0,
     "a6srCyv/Vr/C8lj/9f+8DAb/AF/8rPz/lT8MzMD/PUNVVf3/9ScsKoH/9ycsKiD/9ycsKiD/9ycsKiD/"},
    StoredTrees{1, 3, 3, 1,
     "Vr//yvJm/8/YDBVPWVv82M/vD8NYv8/0rigLCRf8/0rryDEEv8A1Xvw/D8P8/0vjIPwPP8AS/XCRD9P8qGrisKz/P8"
     "HS/cC0r9P8"},
    StoredTrees{1, 3, 3, 2,
     "0dt6pwrwvx/wrdi6XK/chc/w/1K6KIKsIM/w/3L4Qi8q8A/w/1r68D/DAW/wGVV6fIVD/b/w/aAwSV/VWa/wAAX1/K"
     "KC/I/w2Vf6/AgAWw/wdv//AMCrZj/w"},
    StoredTrees{1, 3, 3, 3,
     "/ZQOoIcrHJWX/BhP+o8cIK/wL/aWf+oqUxKl0v/Qav8AqzXKWqr/0ff+8qMzDH8z/916+qjEsqlZD/oQUupXFXxf2r"
     "/WEVdX8q/AgDD/9aq/SiUcq/0X/mdf+oNAicJlH/"},
    StoredTrees{1, 3, 3, 4,
     "Va3/3xJcIqyGKc8fX//l1MUUqj9Q/8oAFLqmjy9PIsqu8/asDoAgi/KiIqu8GaBXSvyjAA38qs8g1WvqpQA/zD/FO8"
     "/ao/9SBV8qlVqt8fb3/FxCotPBtrN8Zmp/qfyq/DMD8u8Xf//qgH3CVcZqe8"},
    StoredTrees{1, 3, 4, 0,
     "pUP8CwLFv8qWjyhylRT8/Yp6UhQfH8/Yp6UBSfH8/SLyjTL8H8BWpw8Dwg78auqyoATKL8Wb/3w/CEv8ABX/8rz/H8"
     "n2gxUFf/T8"},
    StoredTrees{1, 3, 4, 1,
     "pGheryjyPyfwql/+FTFz/2/w1UP9CSz0yk/wr2U8/xDxAGPw/1quDyKglVvw/dg+KsD8f8Pw/1P+QUQU/0/wfb///K"
     "/Kab/wqRa+/Srw/zvwA1aO/T2z/zvw"},
    StoredTrees{1, 3, 4, 2,
     "oNYbqnAr8P/C//2j/gqMpCp9n/v9avUcF/xZAp/DQKvE8NKgf8p/r2oTEPNIAQUr/raUvpFy/8oWF/b0//oQn/K2yP"
     "/mnVvX/KDcA9x/r1aHpXAX/P9Q/V2v/8EVClUpr/"},
    StoredTrees{1, 3, 4, 3,
     "r2lH6nxxVXH/ar8UGv/7wkLCgNfy/8mh1Z5f8qPwIgMH8rYFL6vyQ/KKFiX8/3RH1lwq/xAVbL8D2mk6v8qkCr/MH8"
     "/9Qr6qXAr8yVVH8/2kjwSoyWiD/MD8o2qG6EcM/8SPab8120/9QAlDKrKYP8"},
    StoredTrees{1, 3, 4, 4,
     "VUD/+3/JX/KraYD/w/2qAMAKn1PVVX2qDwr2lp+q/wQIPyhWlLwb2///dUCVVKp/2q/wr21huqp8Ur8U/2qrwDZB/+"
     "vLCXPAr/xC7w2j0VdW/yq/wAADwXwoNVS+qRYF/8q/8Tbwaqq/8zDCcTKsVVc3waqq/8xCyqSgiSlV3w"},
    StoredTrees{1, 4, 0, 3,
     "9e8r8vKx/wV+gCMHBX/w2urAwsLM/wfeooQEJc/QfeooQEJc/QauoUVFx8/QBNUqIycK/AY+NVVVVq/Qa8O8fHx8/Q"
     "jf8siIjM/g"},
    StoredTrees{1, 4, 0, 4,
     "1XqwAAAohU7AavAFVVVVWqzQRf1SqKgpMp3AGrqioIQ/Cs7AZXKiqIAgBT7AYDKiqIAqGo7Abfv8qwLAsE/w3bV78v"
     "y/P83ga3/yDCsJ4p/AvXfyqCkKsG/A"},
    StoredTrees{1, 4, 1, 2,
     "1vssLCzX/gY/qIoJxr/w2jBUVNSc/QmryUlJSc/QmryUlJSc/QmryUlJSc/QWv8UFFRc/QtfozMzOx/wDXXKysrA/A"
     "2LrFJRUa/w"},
    StoredTrees{1, 4, 1, 3,
     "UH1cqtJUlg/w2t4MBMnWZq/wb//y8PwvG8/g2oxF0XRfNU/QWr5DEHQfFX/Q2o5MEEQzPE/w2j88XxbFhq/AGr/A8J"
     "wfBX/QgX6gSBMI4F/ANq6ooiiKMc/A"},
    StoredTrees{1, 4, 1, 4,
     "dj+rIgICIDar7goVuqyrBiBqiV7Aap+qsA808scM7wmquoQAQ0S80qzA2qNoCoCQCQCjzA2q//H8n8n8X8/QBN+VCq"
     "CoyqxM3A2rcAxXRXxVGq3A30+vAqD3x9Wq7AVq+qCpBhCpWq7A"},
    StoredTrees{1, 4, 2, 1,
     "V/6grFxn/wQF7w8KDy/A9Q5UVvaV/Qpa7wAgIA/AFv8LCwv3/g2D4sNCi8/w1jwpNSlW/w3T4oNCtZ/w2z0CBivK/g"
     "2z4oNCvK/w"},
    StoredTrees{1, 4, 2, 2,
     "9UOqA8j15Z/A1r+DDDMM/a/wF3/8MQxLMM/AQZevAoCgvG/AdP+wgCBUGz/wrV+vIAIygG/ANCulVVX1fa/Q2E9QJB"
     "Eolh/g1k8TKBQpFY/w2g+jwBAoLw/w"},
    StoredTrees{1, 4, 2, 3,
     "rV/qDDCzEiME/g1q/D8y8w8oGy/AgVrqoAoA8zsx/A9gDqVFVV9Vlq/QdN/fAqDIEMas/gdaXq8IIAoAvA/AB1fl8q"
     "HCFi9y/wWf/rMMDMTMRc/wRr/DCdwVSVSq/AVq/0w0Ckz0Sr/g"},
    StoredTrees{1, 4, 2, 4,
     "AXfNfSoEABIDzzEAA/fN/BUAVAFTKrEAAavJcAWAlwKorwMABqvARL8QrFKr0MIgBqfLMMciXIlzKsEQpVaKrUAF8j"
     "fKFVIQ9owKigq/FfykMqAw2FzHbyX8l/KsYyEAZgFJvwlAVQFUmqEAbRfIUCqIKCDxqrAA"},
    StoredTrees{1, 4, 3, 0,
     "aac8CwdN/whf9RUVL9/gtS+IAQER/QEKsIiLz8/AZb/Fxc3F/QW78jMigj/AnVP8rP2Z/ApQ88CAsm/A1j8yARUq/g"
     "0z8zARUq/g"},
    StoredTrees{1, 4, 3, 1,
     "UP/8yvB8kz/Adn/jDIsS2Z/A/SjoCIAQD0/AXVXvwDwLJl/wq2rigKAoAM/ADa/gkwShP1/Q/UPVSVL0p1/A0A/iIP"
     "QqL8/w2Y/DFAUqcm/g2s/isPQq8q/w"},
    StoredTrees{1, 4, 3, 2,
     "GRn1vKrS9S/Q/w9Br6rC/IXI/M/A/Y//UsUMUM/a/Ad1/6IKMjErZj/gfWd6/FCFDFAa/AoRi6iwiwpwvx/wTf/7BT"
     "pSdWfZ/Q/aAwAKAQCwVc/w1lP5CpCRKiWF/g2pP1CpCRKiyp/g"},
    StoredTrees{1, 4, 3, 3,
     "1h3+r8XFFTyoZE/AVf//cwXIlxSttD/ABVb+qlgpcKXD9Q/QV2v+/8MCzE8xGM/w9UK+pQlUlfZUtq/wWFdeU8q/Av"
     "wIAw/AraYuqIKSANUC/B/A/agNiAggSIvSWc/g0aj+QDMASCITPM/g2aj8AywApCPTKs/A"},
    StoredTrees{1, 4, 3, 4,
     "p2WvqvMyMqI/8Sby7gWalXofyqhQCNAE3wzQ/VcDVAiqSKv8qxHy3AVGT/l/xUBFQMqBhM/ArZVLqkyCVvPX872V7g"
     "dj//9/xX/Fd8qmoA3A/YAP1QJVAlUIpSWq7AXY3/jwUchRz/LGqrzwRf//tBAU0BRSqP0M3A0Wr/laAq/xSVKv8g3w"
     "Far/CDH8IV0hXf2q7Q"},
    StoredTrees{1, 4, 4, 0,
     "1C/6AIAgFc/AR2k18VR9f9fAqUD/wvD8EWPAH2jyoxBcP8PAU2qyoxDc79vAXb/yw/CfGD/Aau/yixKMsw/g/WvwVB"
     "VHf9/QU1V/8DyPA8fAqWjyrCsKyrfw"},
    StoredTrees{1, 4, 4, 1,
     "V0Vd/yDyjyAQfAqlT+TyRRT9/2/A2dP+ICIAIwkY/A33P+KAKAKwl8/A2BP+KD/D/Dnx/A0GP8EJEJEJv2/gfZ//ry"
     "pQrwar/A/1D+/DBBDxkG/AD2quBUJUpU/3vQr2gOKsKsKs/8Pw"},
    StoredTrees{1, 4, 4, 2,
     "RWP//EshKk91qa/Ar2knBHVRVUVX/afQWhVXX/KBQA8AAM/A/0QDoqIKgioKVxPAYH//sADAAxENvz/AAFtboVwVcF"
     "/D/U/w/WaPqkApPP9yVZPgoFYfqEAhAISiPRvArdYvrUA1AP/AlgfAraY/qvA/wKfD/wfA"},
    StoredTrees{1, 4, 4, 3,
     "ramL6qSApMCvwL/xfg/1og6iogKjAqMFUcPArVGH6kRHRFV0Vf9qvQoGqm6qXApch/zP/Mfw/UWL6lQqVKjUqP9MfA"
     "rWpD9PwXBBb8q4WBPArTWJ1VUqVQL/IiAwfAB2j/wS8x/xV9Vf9qfAZ2//7wMsIQdTCmrD/AWtVV6v8ADwwFCg/E/A"},
    StoredTrees{1, 4, 4, 4,
     "PX1R+lVyqVQqVQq/2orA/Wqi8U/CU/CX/ypUGqfA3YDE+0PBVFJVPKpLKCHAUN9/+3/ArDARRQiT8D3A1WN//XCKUA"
     "CUAKoEYC/AD1qpuqVQlVYVf8V/2qbw/2qAOgKn8KlWKlWVWqDQrRVr9V/yqBRBDRBJyyXArX1i+Vp8qV01/8pj0CXw"
     "/WH/+HAIoABcACsVKszAWmBVf1/yV/xV/Sq/2q3ATWo/+PBAsBMcH8ramq7gr1VR+qX2CV3y13yv1VrQr1pi+qpCop"
     "KgpRw/3wbA"},
    StoredTrees{2, 1, 0, 3,
     "tX3/vP809DqK/8AAblKv8GpXrEv8X2vAIf8aUnSJf8ZUnixf8ZUnyVf8ZUnyVf8ZUnyVf8"},
    StoredTrees{2, 1, 0, 4,
     "RZlulKrvvW9ePvzfZFKeiwHvZFKeiUHvZFKeiUHvZFKdSKHfahL//UD/F1q8AFXP2vaOqKLvAEAevKvv"},
    StoredTrees{2, 1, 1, 2,
     "GhD/zP8bW/6M/8d3b4Jv82Fn1yv8gYG6iP8WdswVf8adFyxf8adGyVf8adGyVf8adGyVf8"},
    StoredTrees{2, 1, 1, 3,
     "lWavAFT/1rVzkyj/2vdPfyv/AQBnpyr/tm1bqsL/b1n//Lz/aHQ/LVH/aHQXJSr/aXSbKVX/aXSbKVX/"},
    StoredTrees{2, 1, 1, 4,
     "9Ddoejyr3wn92p+jL87wat0r+jsF7wap1hOiJB7wap1huiVB7wAAAB//yo/wWq2v8MlVzwZWZW+lSq7wV3319fSs/w"
     "9plpuqSi7w"},
    StoredTrees{2, 1, 2, 1,
     "BgX/8f89aWulP8rfUOLP89LW9cv82xg9Mv8U1Ne8/8fX3+F/80zY8C/82zcvG/82zcvG/8"},
    StoredTrees{2, 1, 2, 2,
     "9jX/2Ar/W9Zv4zP/oGga6sj/BUGlw8X/Vr2P/Zz/fV9f5Ur/an0TySX/an0YyVX/an0ayVX/an0ayVX/"},
    StoredTrees{2, 1, 2, 3,
     "9q92PpLC/wBpBp/q8H/wan9JvKSV/wan9L/IJV/wag9BXJ8q/w09E1/X8q/wWqWC/yET/wtqtojAxw/wPaff/vEs/w"
     "oFpFrqsg/w"},
    StoredTrees{2, 1, 3, 0,
     "a2urK/8/YU/Uv8nfX/xf8AD1D/P801CXvP81jYvKv82zcvKv82zcvKv82zcvKv82zcvKv8"},
    StoredTrees{2, 1, 3, 1,
     "/apa+hL/HU9aO/H/3U9quGb/qX9Q+8v//VNv/XH/ADQ1d/L/X33Q+Zz/2s1i8Kr/1o3C/Kr/2c2y/Kr/"},
    StoredTrees{2, 1, 3, 2,
     "9jdjf9/K/w/dSf//Cc/war/RLyIl/war/RhySx/war/RoyVV/wYaWa1wPF/wBaHY/3/J/wrVo1r6sw/w/0A1i5lK/w"
     "WGVG/7PD/w"},
    StoredTrees{2, 1, 3, 3,
     "VqnYH/xJEv8pda3W/qiQP8ap/0qjqYVf8ap/0r/DVXP8ap/0kLBSKv8fX0Wr/AAs/8/0ANqLqlwv8Qam2//fPJf8/a"
     "pnRX0/Kv8GABQH/r/Kv8"},
    StoredTrees{2, 1, 4, 0,
     "hbdb/Pz/nWfaDvw/DRNZPKg/0epQPTI/0MYLfLz/b2gf/xX/atq6r/y//Y9q/EP/PYFlX/x//cpCnIy/"},
    StoredTrees{2, 1, 4, 1,
     "AG1Hd+/xfwP2Q2/8EH/w/9LZK9hSPwqhPRK+/CPw/9L1KdByPw/9H1GNPyfwr9qtquBcvwX3/V//bK/w/0/1A+Si/w"
     "FaHU98/y/w"},
    StoredTrees{2, 1, 4, 2,
     "raY1FD6/xL8/9T/Uq6lSL8qgap3Z1vyr8D9BAb35/yn8UP32///AK/81Wv9Qq6KET8X1f9oAwSjP8v3a1X96/8P8rR"
     "Y0VL6/Cz8/1YVWv6vyv8"},
    StoredTrees{2, 1, 4, 3,
     "Wj9VG/8fASvAp91PWUsq/KyAqE2qdWkl/yqA/XSvVaIqlUoAP1UDapwg/wxA/9EA2SoqD/yAf2r/aAoDajGA/9A9HS"
     "sllSqAQatdg/cz/xfA/9M/WgooSsKA"},
    StoredTrees{2, 2, 0, 3,
     "b2vAJWr/Gl/qCjP/29jrwMr/9BbXK0r/Q0PpKin/tbX/vLz/aUXJUmX/ZUnJolX/ZUnJolX/ZUnJolX/"},
    StoredTrees{2, 2, 0, 4,
     "BaVevPwq+8vVqcDKIK88/Qdt3Ki/N82vaOqwHKu8QFPeqKPIu8fd/f/pRqf8aNNOVKr8+8Z1L+sUxh+8YBA8qCoqu8"
     "a1KcxipVc8"},
    StoredTrees{2, 2, 1, 2,
     "WtswVGn/Y2H1ysP/3V//DCz/BAZ5wcr/19S6srL/tbX6KwH/1Rk1KlX/3Rk1KlX/3Rk1KlX/3Rk1KlX/"},
    StoredTrees{2, 2, 1, 3,
     "WjazQSJCv8tW1fqsmyv82oYTFKpVf82ocTVKpZf82ocTVKpZf81oWTlKoY/8VvWrqlJof8AEAXlyrAf83ddPvwfK/8"
     "Z1n//LwvP8"},
    StoredTrees{2, 2, 1, 4,
     "gBYB9XCogA3wVd2fOslMaF7w2rWocCyAFQzwD2D2//Cpyq/w9rtpuqSUyr7warSm+rL8L87wZUSp8xCqCqzwaqSr+y"
     "cq8y3waqSo+yEr/z3waqSo+y0r/z3w"},
    StoredTrees{2, 2, 2, 1,
     "dvY8F2n/AAGuoPL/21t+8Lz/WlT/SUr/ra3+DCv/V/XdckT/2TUNKln/2TUdKln/2TUdKln/2TUdKln/"},
    StoredTrees{2, 2, 2, 2,
     "3UdV68CAP8r2ka6rL8v81o0Q1KpZf81o0R1KpGf81o0R1KpGf80GQf1Moiv8BgGvwAzyv8dr1v7VBrP8W9b//CcK/8"
     "1r0D7wVCv8"},
    StoredTrees{2, 2, 2, 3,
     "Vpdq/jCMHL/wAAAR/fAr8C/w2pdz/xzSSl/wWp9zDgXAfF/wWp9x/qBki8/wWp9qPDJzaz/w2rWA/zEVIq/wvVrVrq"
     "sCgx/wVqV3Xl8qFU/wY9Uf/nAICs/w"},
    StoredTrees{2, 2, 3, 0,
     "Pf0PABD/pU3/8IX/ABFX/Pz/a2ur1Hz/11SfvBD/1da/Jyv/9qUPQvL/df0DSUr/2zcvKir/2zcvKir/"},
    StoredTrees{2, 2, 3, 1,
     "vWNauLADP8Z39cOfBGf8Fo2P/mL8v82Y9RdKpZf82Y9BeKh/P82Y9v8MEiv8PWrf+AgI/8QBQ1d/K8P8bdNf+xzPP8"
     "qX9Q+CcKv8"},
    StoredTrees{2, 2, 3, 2,
     "f0Q1S5/KAC/wda/aAwScSl/wandK//EnIp/wanTK/4pyfx/wanTK/6/8CV/wanTK/6/8CV/wphphr6nIvA/w/dRf/0"
     "MKFT/wAaGYV5/B/K/wWGWG/7AACM/w"},
    StoredTrees{2, 2, 3, 3,
     "XQP3X/VTKkkL/Vj30//vLDFcz//dY2X/qAEyKP//almRXq/AAPD/AETRH/qEBfyr/9lf2oDACcApX//2wBoLgpyr8L"
     "/9qwYF/ycq//P/GfZUG/q0q//P/pna9mvq0q//P/"},
    StoredTrees{2, 2, 4, 0,
     "0PYF//y/H8P1qarKcq78at/YjylKr8/UpSnRT/H8/WpfHoRfD8r1Bf/gCBf831faPUL8j8b2nQXjwHP8/Qpr/vCfP8"
     "hZ97Pmi/D8"},
    StoredTrees{2, 2, 4, 1,
     "1ZP2//DyxR/wVA1BP9/Caw/wP1D1quRQ/wvwf30F/+D8Cn/wXd/1D+CnSq/wAafY/+qy/y/wf2/2s8UJbKPw/2p2rc"
     "ryUCfwqlqtv+KQD8/w/WX3VP/zgyPw"},
    StoredTrees{2, 2, 4, 2,
     "/ahXD/8IFySv/pVY9lL6/MIVR/Wg1/f/3jyQor//a/2Yr5FQj/B/r9YAVG6VwP/C/oDa3Vz6WiP8w//2g1Wj6pIF/F"
     "/D2hphZx/yv8J/fWv9oA4SnEqw//RKE1X5/yoAq/"},
    StoredTrees{2, 2, 4, 3,
     "XVX/agDCSnJKlT8r3WPRUbq1cm/wr8/00NaiXspwz/x78r91A0UnqVwz/xX8AGoadHfV3yn/Cn8r32vQVrq/wKAMb8"
     "v2G9QaXqpxif/P8/at9g//zPJcsq/8WgPVGv/vDyoKAv8BViPXb/lgyrFWP8"},
    StoredTrees{2, 3, 0, 3,
     "2p3rnLz8/wdXX/iVVq/wkWnDcPC8/w9AblKsCQ/wAUPcJysL/w09TqysLC/wb0XJBQol/wbUXJhYpR/waUXJhYpV/w"
     "bUXJhYpV/w"},
    StoredTrees{2, 3, 0, 4,
     "/cFuXKgKwr/whVnejIyDIM7wPa9f/KQqD8/wRVq+AQL8Wqzw1FocrPMqyTzw2vaOvJwqBD7wQ9D+qKPAkC7wb1Kszn"
     "x/FX3waRK9xKpVGo3wZ1K+xynKsVzw"},
    StoredTrees{2, 3, 1, 2,
     "Wdn7nPxp/wWdownHxp/wb2//JCgs/w2hY5FSpV/w2hA4MiKY/wtbW6wKDy/wWtV5ylVq/wAQH3CwfL/wUNrwwcpS/w"
     "lb35QvMJ/w"},
    StoredTrees{2, 3, 1, 3,
     "kG0XqyXKsL/wVXazAnB8EV/walq/hBEoiV/wa1q/hcHwnB/walq/RCGIlB/walq/xLGInJ/wdrWflCoV2r/wYTRrqS"
     "LFcq/wDQPf/wzPM8/w2vaPjAuCpy/w"},
    StoredTrees{2, 3, 1, 4,
     "v1b9//KkK8j8/wUB0P+XCoiMwM3wBVmtuqQC8q8Q7wBgBpepyqhlyq7w2jVA9vyVCqxD7waQSW+rAoH8L87wUP32+3"
     "z8CoIl3wWm2m+PMDVVaq7w9rdX+qBDKDwC7w2r2rMwnw/wnwzw"},
    StoredTrees{2, 3, 2, 1,
     "Tdt+8JRs/w/a0+YvKC/w1jeuPCoV/w1jceMCR8/w1jb8CQoh/wrfUOJysz/w29T9MgMb/w9TbekPyF/wdvT/wFVq/w"
     "AEN+8pDw/w"},
    StoredTrees{2, 3, 2, 2,
     "ff1j6AQKJY/w1tX/6CQLAb/wpWta6nL8gw/wA0Bf7AQCPM/wVr2P7wBQWK/wVr1f1AoImh/wVX1V68ikGk/w9r2gwJ"
     "wrAc/warcvyAMB0q/wWDY//Unyki/w"},
    StoredTrees{2, 3, 2, 3,
     "Vl9qDgJwKwal/w1D1o/vQF8qGC/wZq9Z/lKqKzVV/wRq9h/FKqVMaJ/w9qJx/VKqCzcp/w1qlx/VKqCzcp/w2qGA/z"
     "xsycSs/wZ9Vv/rCTCiCz/wvVrVrqnKvInI/wAUQ3XV8qQV8q/w"},
    StoredTrees{2, 3, 3, 0,
     "V/2PwUpQ/wa2urMBh8/wmXWPByqQ/wfYX/QvOF/wTd9//ID8/w01iXPBcr/wRb0DiAUK/wEBGfHDz8/w1R2/Ijwp/w"
     "1hY/MyLy/w"},
    StoredTrees{2, 3, 3, 1,
     "fdFv/ADBVK/wAAQbdnK8vy/w9tW1+/BXP8/wVb9cOyxVGq/w1X9g8AcK5l/wX33f+cnymb/wq2pauJgvA8/w9oEA9C"
     "oqiB/w9kEQ9CoqiB/w9kEQ9CoqiB/w"},
    StoredTrees{2, 3, 3, 2,
     "/0A2i5pypynw/wVa/aB4PMEcal/w9Z/aD5CSClBK/wffSf/6xAjwi8/wVrdqf78n8rPK/wWaVY//AIAU8r/wAVGaXw"
     "/IUF/K/wpFpFr6UB/KgF/wag/RM1MKcCYi/waX/Vs1sJsqVU/w"},
    StoredTrees{2, 3, 3, 3,
     "AADRpHqVAvwX8q/wX2ttpXh/BQypFI/wdd/2YPqBAAliK8/w/2g1pLhRSkcj/D/wVav2D/PwLFBxis/wVVf2oDgCcA"
     "rBZV/wVr/Y//qBww8Ivz/w/Q00D/30ZvKv/z/wr0aBGvqomKKj/z/w20xrU/V8KjKj/z/w"},
    StoredTrees{2, 3, 4, 0,
     "atq6rBAEH8vwXWfaPgAgvyPw/U9f/fL8Jx/wb//YHKsRWqPwo1EZfKQqyr/w0PUFf/ypA8fwPSqZHPwpCoPwn2jQ/g"
     "yAAF/wZX/YDylKmUPwhaVq/FD/P8/w"},
    StoredTrees{2, 3, 4, 1,
     "/0f3Td/yrwVQ/wXd/1j+jCSEaq/w/1A2/8DFyKih/w/9/2//FDPzED/wql/1AOCnCrKm/w/1qtquKcK8D8vwZW/3A8"
     "wJUFZKPwABqBV+fA/C/xfw/X1Vt+LyhAXy/wVa/YW+/wfQb8fw"},
    StoredTrees{2, 3, 4, 2,
     "raaWGv6/AKQT8o/wrbY3WL6pMP/C/wfwmmp1z/7/AwUIvw/wfWv9oAwCnEqxDE/wABf0fb7/QRkr/APw/1Q9o/4CgI"
     "EDKx/wVdv9ZV6/wJVBqsPw/0Fp3/1Xyv8FAKfwV239r//AJwCsVT/wr9YBVG6RQv/AFWvw"},
    StoredTrees{2, 3, 4, 3,
     "D92gUa8qpAqsFfyqQAP1S/acgBxXHKscqygA/2j/WiYjpwmvwZfKgAGtBX0/8vAwoASMqMwAABAaNVUl/ymFKv8CQA"
     "Qav9aisoxUxPzGqnQA/2pNQEs20Jf8qxVVAAralNgUsqVwD/EoByQATY//bQsdCipUQWqKAApTWPZUMq/MOlyv/AgA"},
    StoredTrees{2, 4, 1, 3,
     "9WafjcBwPKsD/kHQfqCIwzKsH+2qYfVCogirAr8WvazAnC8PwWz9d3a3owPIciaf82vaPjwBcPwXz/9Q1rqgSBIEyr"
     "8B0FfrBwHA8xn8bRt//CoACqYL8VrXfrIkyVVar+"},
    StoredTrees{2, 4, 1, 4,
     "Wd2pdVyqMhIqGQ3wQN2vMLHxPxVVaqzw2rGo+jCAHwJQD87wUA0D+oiMoMsFcq7gn12t+vBMBMj8ymzgVhV1+fcoc8"
     "8qlx3w9XtVuqwjPy/y/w7QWv1q+rI8IrMr8F7AA2D1//CXyWSXyr/AZjZ3+qAiHwPwao7w"},
    StoredTrees{2, 4, 2, 1,
     "V1b8UlLyW/wrY3+JCgoDP0Gtj/AwMT8vwWvSuATFVavwQGN+8KCgcvw9hW+yMhIxv49/UtMiQofP4vfUOJCgokf0Xf"
     "UOnFz8V/82zceMDQqA/8"},
    StoredTrees{2, 4, 2, 2,
     "dr1P7JAoFcaz/QH2q6YFyfKcP8YfR/7AoAwDYb8PWFX6wDAKE8n8WnYf7nKUvzWH99Ztl68AMIwTD/9j3Q1IokCgFj"
     "+902f/AcBwHCv8r30Q6BAoCgvH9Wr2vwCwLAlar+"},
    StoredTrees{2, 4, 2, 3,
     "AAoZrqcEck8r8K/App9hPqIAJIKIJg/gVq9oPiJCKBJVaq/w9VNqDsDJBBTK/B/wffTa/vQcScyUSs/Aat9r/Dywyw"
     "UsYE/AV9Vv/rkKnAvCWD/w/991HVMqKCKCTy/QvVZVfq8jhCrylZ/w2r2A/yAoBjD9Cq/g"},
    StoredTrees{2, 4, 3, 1,
     "Vb9auLC8lVar8VrWP/QJC/LZv9Ud1v8kJQPyab8/UJZ+MEySiDD8v2jf+kIQTKMD8dX9gOyTKEoXz9q39Q+AsBwqgX"
     "+ABY1e/CkKS/D8309T+BwHA8xn/2s9w9AIJC8Gf+"},
    StoredTrees{2, 4, 3, 2,
     "/VBa/6oEkE8rMh/ARa/dD1CKLAVQas/AWr3D//8qiMtYv8/A/0o1r6sq8stYn8/gVpdh/7BDBzDzZl/wodiRi6/CpC"
     "pCvx/ARV/aDwAcCsClaq/Qf2WWX4/BBRjyRm/QXa/YA6CwCQisWb/gAAWGV4XBVJ/K/C/A"},
    StoredTrees{2, 4, 3, 3,
     "/1wFYLqXJFgT8oVbPwWXdW//vMCPCPwTao/wXb/2oPAAcArAKwWZP0pqbYGvq8oAAQMIBjP4AEVjVXV/KiwAsC/Mvw"
     "/ag2BPo8SwsWlK/yf8v2adn3qVy1Yn/KiWf8Vq9WP/zwnMJzysMDPwb9f1W/qoAqAJRFaqvwdRP2sDiCIQkEKKaiP4"},
    StoredTrees{2, 4, 4, 1,
     "q9/1iOzyykioiVvg3302/8PKBIBF/K/gX9/1quKwKoVUapvgql/1w+gCCsCoA8PQ2Gv1j+CkCoKsQ8/QAAVDVd/yhy"
     "pS/wfAqFqtv+FQFQPwA8/AVa/Y//SBfF/Kab/Q/2D1g+AcAcA8X8PwT1/1CuCLCjCrZWvA"},
    StoredTrees{2, 4, 4, 2,
     "AABpo/AXzF8z/N/ykAraU1FDK1ANRz88BbIMWv9d//PACACAAnYK8AAAP9oDIAEAqAFCD8AA/2k1BZK/wA/yv8lWYE"
     "rTY0WJK/Qf0n9KAwEA/3T90AJCigpAK0APEIr9aDWmKpcqXK/yhZcERRf9oHEDyArBVcarEM/9z2YrK/J/wf9LnwoI"},
    StoredTrees{2, 4, 4, 3,
     "/2o/dAXUDykKRQqKJbA+aqv/aADACnAKsFVwapf8f2tFWv/vAJfAFUCqXAP+Xav9g//zACwAywBXQKv//9QA3Svp/C"
     "o8gTwCFTK8pXWPZYbqpQKlAP/AhWy8AACtGa/qXyRfJP8p/wr8pd2NUUvq/wAq8v/yhZU9r9FaUVvq/wAqcKfw//B/"
     "2lUdaj/oy8jKzEUM/8X+"},
    StoredTrees{3, 0, 0, 3,
     "FxdrwP81tbW6/8KigA1f8vLy9//8AUFf6v8bUVK1f8bUVK1f8bUVK1f8bUVK1f8bUVK1f8"},
    StoredTrees{3, 0, 0, 4,
     "KD/Nq4/PKppEr1XfJcKgA///vyHGowPPVNpln6/vAfRL96/v2ra1f6rvaNEUr6nvY1D0r3DPYFAUq3HP"},
    StoredTrees{3, 0, 1, 2,
     "wAaZev8CsAA9f8X1la+P8tbX1uv8TG9v//8RdXaMf8ZUlK9f8ZUlK9f8ZUlK9f8ZUlK9f8"},
    StoredTrees{3, 0, 1, 3,
     "AAABowMAAADEvy8AADNAEysAAC0bdyoACpANwBUANHU9fywAUbVtmioApVaVByoAwNAP9SoAbxqWBzMA"},
    StoredTrees{3, 0, 1, 4,
     "xXVUWp8DzwyqFAH8eV3wCqasVE/M/wW8WrVq+f3wC8kc0f8r7wCqQrZA+D/wb8apUB+zzwSpUr2DNwzwNq9qdV+v7w"
     "gBz1iluq7w"},
    StoredTrees{3, 0, 2, 1,
     "ADGB/v896Wtnv8rf0FLv8W1vb//88ggIXf8Vfb2DP8bUVK/f8bUVK/f8bUVK/f8bUVK/f8"},
    StoredTrees{3, 0, 2, 2,
     "Gxb1v///Uj9SVLr/rWta1vr/8oAAAXX/Qt2la/D/VXWfaDn/aFFUq/n/ZVKUq/X/ZVKUq/X/ZVKUq/X/"},
    StoredTrees{3, 0, 2, 3,
     "XT/WPWLo/wYVUq9DDw/wmFm12Fvq/w8oohoxXq/w8qGkFMPl/wM8RfRp/T/wBV9qRv/P/wYvRMSs/K/warRySs/K/w"
     "arRySs/K/w"},
    StoredTrees{3, 0, 2, 4,
     "AvFq9YF/n988o2qhWC/z88sAYPW9Fnqu88qjfwn8fpe8MrSClSB/s88YqlihUA/gP8G/JVxWp/A88Xav2oFqLoO8ZV"
     "Vav1fDqO8Yq0UBKq/cc8"},
    StoredTrees{3, 0, 3, 0,
     "Ba19o/8W1tbq/81vb2//8/IAJV/8YFyhD/8tAQMi/89AQMC/89AQMC/89AQMC/89AQMC/8"},
    StoredTrees{3, 0, 3, 1,
     "qWpf1M7/RlVdW////G8aBR7/PKBAm/z/mI/atG7/VL1g2Z3/fNW/bn7/YBAko/7/a1FUp/7/alFUq/3/"},
    StoredTrees{3, 0, 3, 2,
     "VV9a/aYw/w/KDKACV1/wqBq1q1g6/wBsVvVv///wF0/1/VG6/wYKQQSo/y/wZTSqSo/y/waqSqSo/y/waqSqSo/y/w"
     "aqSqSo/y/w"},
    StoredTrees{3, 0, 3, 3,
     "AKkax2M//P8rKaAGkx/6v8WVdWr9qAwP8Vo/ZcFmL6P8/Kv9Q9cJ5f8PBNjedV/6v8/KjygBgX8v8V1f9WrVm6v8af"
     "HK9bP/3/8aqnKJbK/yv8"},
    StoredTrees{3, 0, 3, 4,
     "gKpqoEWE/8z/aVVZq/2DA7DPWKrUq/1DC4H//KsAKAtCV7DP/KoggCj8/6nvtgHW9ZUVv6rvF2r/av1vG6zv/LyGrE"
     "YH/1/fGvxaVVWp/wPPXKr/bAFqL5XP"},
    StoredTrees{3, 0, 4, 0,
     "Wta1jq+/ZVfVpqu/b1av9Vc/Y1av9///Goav9sM/jxAP1r//UZdq1q+/oD9qlA8//z/KAVd//SlAWr//"},
    StoredTrees{3, 0, 4, 1,
     "ryDwAAi9fwpyr9/9huvwBYlZFZ/+/wRN/dv1a+vwqlqlr1AOPw1xP2/2Gcfw3zP3qlFevw0Tf3T3///w/xoNqVU+Pw"
     "1zn9PVS+fw"},
    StoredTrees{3, 0, 4, 2,
     "bwP3X/VY+r8/yj8KgCG9X83yj9gfcJez83yj9QvYFc781VT9ovSGOz8qgap2qRA+j8ryoRIPaNeD8pyt/a/VBur8Ab"
     "FGtVj///8ZN3/f93i+n8"},
    StoredTrees{3, 0, 4, 3,
     "/yoAVI9qg8C/pCqP3I3ci+V/VUP/dapll+q/AbzVq1WD/9//ZxX9aqtZYeo/1yp/2v9aFuC/fyt/Pf0Bl+p/2Sj/Ki"
     "BAL/D//yiqwa9xTOo/qtkPXYNRi+o/"},
    StoredTrees{3, 0, 4, 4,
     "Vdg/9RD99FuqrwAxc1Cr/WD//D/w/yqAasDX8V+lbwlyq/9MqlpmeqbwpwN/9pD1BJOqbwWCX2gqFQA/+zzwUZV/2q"
     "D1VG+qLwHb8favbYP/9f3w/yqrz1oH1n+q7wWmq1VV/2qA8ADw"},
    StoredTrees{3, 1, 0, 3,
     "b2towyX/2lZX5Cv/ACoA3Sr/29TW6iL/jY2d5yr/dXV3/7z/YUFJ8in/ZUlJ4sX/ZUlJ8lX/ZUlJ8lX/"},
    StoredTrees{3, 1, 0, 4,
     "lW/b96vMu8ABpkG6Uqu8YND0r6Ao+8aFEUp6JQe8aZF0k/9U/8aFEUv6oqe8P0qQB1cq98T9PWpwMh881fVFX6crO8"
     "2hato4O/N8"},
    StoredTrees{3, 1, 1, 2,
     "21rY8xz/Wlhf/8X/gYG1uoj/9jZm+zP/bW9a9Mn/ACkBfcr/adER8iX/adHRMlX/adERslX/adERslX/"},
    StoredTrees{3, 1, 1, 3,
     "EDa1g9XKv82vWNrMDF/8aPQZK/9Kf8afSZKeBxf8afSZK8glf8Y1j2W+cKf8PUpQFenKv83dfV9+cfP8No2jY+nKv8"
     "hWNZVuqIv8"},
    StoredTrees{3, 1, 1, 4,
     "b/avb9//L8/wmln9Wp8DFczwap2jEAOjxD7w1D9AdX+3Ss3wag0DFq+rSo7wQdQf2f+vCB7wVmdm1XOUio/wA9KpAB"
     "dlyq7w1p1plpuqyi7wdfV01n+PMUzw"},
    StoredTrees{3, 1, 2, 1,
     "QEdaffL/oaWt/iv/PSkBnvP/V9fUPpT/9vZ3TvH/X331rlz/21jXPsj/YUFK/1H/2Vn2PCz/ZUlK/FX/"},
    StoredTrees{3, 1, 2, 2,
     "oGga1/oy/8RpGPaHxyv8XT9vWrqcP8AAqQNfXyv82taVh//LP89X2vYDIlf8a1H0r/Jcv8Z9Kko/Jcv8Z9Kko/Jcv8"
     "Z9Kko/Jcv8"},
    StoredTrees{3, 1, 2, 3,
     "1q1o9ADsJk/wAEK2Y3Xr8q/wP9GpFqvw8x/wQBQB91/Vcq/wvZvZjZrqnA/wWf2rWA/zMc/wa9afRv/Pyr/wY9aqTC"
     "/IUS/wY9aqTC/IUS/wY9aqTC/IUS/w"},
    StoredTrees{3, 1, 3, 0,
     "1valD3L/rY3dv7H/a0d3nyv/09BWn7z/fWlhq1z/ABoYV/z/9qVNo0X/ZUlK/8X/ZUlK/1X/ZUlK/1X/"},
    StoredTrees{3, 1, 3, 1,
     "AU9Q2q78f8Wta1j178/8Fo2KRf78v8Q/T1Z//8v8X1/VN/4U/8/YFj2DzxP8qGoX1068v82ifb1z1Iv82u2rUv4CP8"
     "3bff1D4rP8"},
    StoredTrees{3, 1, 3, 2,
     "/aBUvZw6yV/wVq9o9TD28L/wQDUAWaWw/K/wX2/2DWC6lI/wdD/aDUp6fK/wWP29mF/5PK/wpFr1o1a6/K/w2qUt/V"
     "P6Iy/w2XUrVv//Qs/wGoEqEdP5/K/w"},
    StoredTrees{3, 1, 3, 3,
     "r9drWY136ryj/BAP9qvRW6vwL/NpSaoFB/8vxT/0BdAX93B1iyj/WatlCZqf8PHP/P0IZG9Zg6sir/9Vf2pJg38nyX"
     "/VFf9WBVi7ZSr/2q1qJ1v/zwIz/ardq82Gr6msz/"},
    StoredTrees{3, 1, 4, 0,
     "RVPZFv8l/833RV9o/8T8GAalotf/P8ataFrv8Mv8vapUV/+TP81MdNWt8vP8ABq2jqs/L80HUadDNPH8rX9T1X//H8"
     "E2Rqls8qD8"},
    StoredTrees{3, 1, 4, 1,
     "/2R31X39fy/wqhmhm9v+zx/wA9GpGh/e/zfw/3K9KBquBcvw/0qt/1AOiiPw/9lalYV+/zfwD1IWqVN+/x/wVafY/V"
     "f+bI/waHQHTV///y/w/2/2w2/8EX/w"},
    StoredTrees{3, 1, 4, 2,
     "/2oVT/aAMC8x/qgaoH/dD9Qoo/AVqPWkF/+gHP/PVR/0dBd+f8r/oHYR1NVQ+vxO/Ua32v9jq+myR/D9P/WqVGef8q"
     "/oEY/VB1S+vwp/VVP/YP2Kupci/ZVf9pNY//38n/"},
    StoredTrees{3, 1, 4, 3,
     "P1SHar9owDHKcoAWgNa3FUf/x8LK8ApA2FDY9diSqPIYAAakdqR1CdzL/FMA/9D/0z1dKykVKoAqGmo9ao1KiUPKkA"
     "//X916GVoyq/yoAgWqjdf91LyogscA/2r/VA9qnwx/DAAAaj/2gDaKir//IA"},
    StoredTrees{3, 2, 0, 3,
     "Nb1p8zwg/waGpm5ypo/w/a2B56QM/w9xZX5Sos/w09Bb4ygg/wT0Z9/ysL/wvfU11yi8/wGlrU6sLC/wYWljyFVq/w"
     "a09JyopV/w"},
    StoredTrees{3, 2, 0, 4,
     "BZFtd68/Cr7wBCkY1/8qjw/w/XdVX5Qq8h3wWtalo6pVWq7walqlA6rIcqzw/Q9mmwcqL8zwalL2N6uAFT7w0fRB17"
     "Uqig3wv39T13cq/y3wX9/Wp6MQiF7w"},
    StoredTrees{3, 2, 1, 2,
     "b29v/yws/wPSkBdcrD/w2hEZMSpV/w2hERNSpZ/w2hERNSpZ/w2hERNSpZ/wgYG1usXK/wWtBW+hdr/wdHbXuEhC/w"
     "2hrUObKy/w"},
    StoredTrees{3, 2, 1, 3,
     "Wna5o8FcmV/wAAqQBeXKsA/wNo1jW+rBcq/wgWBZluqCoi/w3ffd9/8LB8/w1MYNbNBKMT/wa1h2L/Ikyi/wapynI+"
     "LwjC/wapynI+Lwiy/wapynI+Lwiy/w"},
    StoredTrees{3, 2, 1, 4,
     "0DWA1rOAyoMCzw9rZqZv+lypyq7wX23330//JUn8/wlV9dtVuqck887wAAKhAFelyVyq7wD9j12r8AiAwlzwhdmpVh"
     "+rj8xT7wWt0v2m+rFCaC7waPRVSp9RCqKi3wY9QXSq+yAryy3w"},
    StoredTrees{3, 2, 2, 1,
     "T1rY/wUK/wra2Nrqy8/w9tUVPSpZ/wRtUVPSrJ/wRtUVPSrJ/w2tQVPSrJ/wAAH3DgPy/wfWn2PlVq/wa2tjXfJI/w"
     "1vYW/Asn/w"},
    StoredTrees{3, 2, 2, 2,
     "AQBp1/owPM/wV990U/qcLy/wWX2wWrpUGk/w9rWHa/8Jwp/wrWlfVDoiSK/wWVWda/MMCc/waBoWNXXygI/wdrXxaP"
     "AjHK/wV/a1j/oogL/wdrWhUPsqxS/w"},
    StoredTrees{3, 2, 2, 3,
     "9VxpV3/WArJV/wm1mlmFfq8kgo/wGqNqBgP2yVyq/wYAffTf/vQd8q/wPRaRYZXp8q8L/wA9AVNqrqkK8V/wVt1K9o"
     "DoJCay/wV/Z2dm/rXM/M/w1qNUJqPwAwCr/w0NNFJpDFMKEj/w"},
    StoredTrees{3, 2, 3, 0,
     "a1ZXnzwD/wPT0Fvxj8/w1vTWf/xF/wGnd9g8nK/wABpYl/z8/w21iVHzwg/wrYF1vwUq/w/WlhqyNV/wYUFK/4yM/w"
     "bUVK/3Ly/w"},
    StoredTrees{3, 2, 3, 1,
     "1ZV13f780W/wVdfdNv5wfK/wGrWhQ/88yD/wAEQf2A4c/x/wqGpa1q4sQC/wVp2PZv73D8/w0Ba1hV18vw/w239Ql/"
     "6Mog/w/VNv2DzJMo/w2c9ynH4ilU/w"},
    StoredTrees{3, 2, 3, 2,
     "X0/2A2i6pwvw/wAAGhGNW1/K/C/w2XmZ1VP6/JAK/wffRfZb///IZc/w9rtpphr68n8r/woNoBdZ/6CCLH/wUN9V/a"
     "A8ScSl/w2nPaDcP7DDCX/w1aPcCbBzHLPD/w39PZBSC3MrGT/w"},
    StoredTrees{3, 2, 3, 3,
     "fQEEH91/1cypJC/wVr1c99P/7ywxXM/w/V/2oNw/6ABMin/wX2lppYQV6vwADw/wAPRBW9q/zFCX8q/w/XXGX9qA4g"
     "nAKR/w/2z9gAaC4Kcq/C/wGapnRVVf6nKv/z/w9o3av2Ar8NKv/z/woNaaWvVr6tKv/z/w"},
    StoredTrees{3, 2, 4, 0,
     "rVNb9D/Kcq/wAAatoUf/P8fw0PYBNGO/L8vw0DfalgcFE8PwvallW9+fL8/wlX9T1/88hx/w1HfZFrcpIc/wX1Qb9v"
     "8AxH/watq2jqshCovwr2qU9o9QPyPw"},
    StoredTrees{3, 2, 4, 1,
     "XbUa/Yd9/ygQ/wAAWrWj9eny/w/wEBFB12F8Py/xfwlWv1wGquKwFEvw3dP9qN/+fJ/K/w3WP2ym//DCCj/wVafY1V"
     "/+Dcb8/w/2gV/1AOykSoPwqV/1D1o+IAAcPwqlql/1A+BD/yPw"},
    StoredTrees{3, 2, 4, 2,
     "QakGv9jr+qARgo/wlQdUFfdUNf8qAAPwf10Nb/WBukXJfxvwP2j1StZk+nwD/F/wr9Y/WA1R+lSr/8vwWm1ppVY//w"
     "AsKT/wrbU21NVS+lcL/wfw/1a1m/Vz+opCKs/w31f9kNa/8DwwlK/wAAKj2qF1eV8n/Kfw"},
    StoredTrees{3, 2, 4, 3,
     "ValVxf9qKOhFzF/Jfw/av9930H/+QDBwor/wEAQYBtp2Fdb/Kf8Cfw/Wr/UA1s/+88iiXA/woPWPdYDVhuqnCL/Mvw"
     "D92j3a/Vo+pdIP8wPwUFB/2kAWS+r/JS8qfwWmFaUdVd/+0/KgBA/w/1UNaj9oA8KKcMqUPwvaqFqo2AS/JcFPyrfw"},
    StoredTrees{3, 3, 0, 3,
     "AD1qA3Dw/AAAD1JP0D8/AAAIVlKQEhygAPfUFBygAAwAGtoYKsnKwgAHWtDAAcrFQA9AY2BSoAKgAZ1VpEyJVagAkZ"
     "HdKyhQ8AA19SVL5y8vAA"},
    StoredTrees{3, 3, 0, 4,
     "Y1j0U1Qq1CYXfv1qWB/+fL8vz/1PUNV6olCoCvvTdBGrwA8iiTPv/QdmmycqC8CrPrX9T16UqioKjvWtalo4PKMByr"
     "PDapY96sEQqILva99GtytAPwVzPalFUr7MKAXavP"},
    StoredTrees{3, 3, 1, 2,
     "dHZm+8mKQv81dvYOHDycP8WlHRsaJUaf82hESMSILUf8GtNT8TIzJ/82tAd/yQsXP8PSkBdcrNyv8gYG1usKMiP8Wl"
     "Ba+Bcpav8b29a8Jy8a/8"},
    StoredTrees{3, 3, 1, 3,
     "2vdF9/8DA8Hz/D0qdDOiDMEwr/gWBbVuqCYKiD/WpWdp+FwfCcH/WpWdp8EkSiLH/WpWdpdHMVSaH/VXaxoNEUryZX"
     "/b1n1r9DI/yCH/VD0WZ+XKglyr/Nomga+gJwrzP/"},
    StoredTrees{3, 3, 1, 4,
     "1X9Utduqcp8qBC7wdj9q1fOogcwk8M7wZUWnWo/DHyPzJS/wAAKqQD//Ccigwo/wqtn9b9+rJ8K8j87wWv1fWk9vyE"
     "VMalzw9oZpRh+VyqAUCo3wQBQD1q+/AUD8yr3w33Wk2qcqyECqVA7wH2G1Gl8/wrApyqzw"},
    StoredTrees{3, 3, 2, 1,
     "dXX2DCMXaf81vbV/hw8J/8paX1PhQovP8WvUW/8lKXP8aGtjXfIwCP8TX1N/oDByv8AQG1rnDy8v81xocPiigcv82h"
     "QbPyoycv82xcbPyoycv8"},
    StoredTrees{3, 3, 2, 2,
     "rW9YVfrEgmyv/Wta1j/qQLyvD/AUGZa/8iwD8X/YBoWNXXygBAr/dr2DaPALEsSr/2d2vcDokChUr/aZxvWrr86SaL"
     "/U3Tx1/tCPMcz/9mmdR/oBAoJz/V3dXV/sCRKYv/"},
    StoredTrees{3, 3, 2, 3,
     "dvZfVv/qsAjAhw/wFVlp9rDAJyKwEV/wWo2rmA/xIlMqIC/wQXaXY3Xl8qsl8q/wARAR/Z/bUY8Q8s/wVBaB9qrq8r"
     "JCaC/wdq9qFR/fwsScSr/wrVvdjZ/qCSCjCj/w13N2F2PqHMPKDD/w1rFk1r/qQJUK/D/w"},
    StoredTrees{3, 3, 3, 0,
     "WFN9jwMFSv8a2pjqzwEK/801CZF/wILP8ABrQX/yY/P8fU39g8lKVf81vY2vwDA8v8taWNvyQrlf8ZUlK/5g8Bf8ZU"
     "lK/3LyRf8ZUlK/6L8Jf8"},
    StoredTrees{3, 3, 3, 1,
     "AA2gQDGQhw/IAADa1D3I8AQ/wAgEAa9/IcDzLMAgEPVB/JwfJMoAqH9QFqInC8DwA/VBtnVL8IykwAfbRf2wDJEoRU"
     "AA2of1AIKwnCsABpEPY/PCcKyoAUPd7V/EqkAYAA"},
    StoredTrees{3, 3, 3, 2,
     "AAP2A2SJXB/K/AAAAAGhWNVF/KHJ/KAAAAW1VFfJ/RBx/yAAAAo1pVrK9ApE/MAAD0/VDVHKMA8X8qAAPQQa/QDIAU"
     "CoFQAAphdp9h/KByDwLzAAWD1Pda/KoA/CgCAA/aVQ/aAACsycylAAZN/ZfT/P8nQqS8AA"},
    StoredTrees{3, 3, 3, 3,
     "9VK2n9RA6giEBKSlP8fb1l9Vv/788xGM/zP8VXdal9qRwPzBMwQUf80av2oN0/1wCsCXIq/8AASAGmZr6lQL8F/Kv8"
     "9o3an1B/8fCrwQ/IP8fakUj9yD4AUhKKVcP8pdf9WDVi6qUCvAv8P8/2xpoYWX6vwSUo/Av82AxLYcVP6QJkCqy8P8"},
    StoredTrees{3, 3, 4, 0,
     "ABalolc/BUKh/XVfZ1r98vyhL/atq2jr8hAMwz/0PUNWf//Bc/x/hb9iG//AUB/L/fV9f9j/KUqZX/r1Bb9A+DMFyo"
     "/1VdatgMAwBRI/jWvYFqsVL8Py//Ydb1q8pCrFO/"},
    StoredTrees{3, 3, 4, 1,
     "f3T91Nv+KcD8as/wf3QE/0//BJCKCn/wAAKB/2IcAzoC/wPwaa/0AUG9vSVSbzPwvWrWq1quFwPwEcvw/dK1/2A+Ck"
     "CrVxvwUA2rWjV+/whYv8fwVa/YvWg+fC/J/K/w/9papYt+DyKygCfwqtql/1DOyAhEyoPw"},
    StoredTrees{3, 3, 4, 2,
     "/2UVr9Ug+vwg8kLKb81Zz9k/dANQAqIcypL8Whtr2dNv8V83/BQyv8X9/9YPWp+qwClwb8D8r9UHVPVRulXL/w/8L8"
     "paY/WAFieqcKvwv/H8/UKdGnZbev8ErKVEv8f2kBT/aAsApxKsQSL8Xa32tVj//wCcArCg/8ADRg1a1V+v8BdC/wH8"},
    StoredTrees{3, 3, 4, 3,
     "rfWHdY1li+r8ADwUJKk//00Eav9tAMUHKglKioW/VVf/aj9oC+EKcUqyVVc/h/2v3aDZreqnBKXMv8z/aat9q/3Da/"
     "P/GSoq//N//2o/VA1qi+yHDK/M/8d/AAQY9VoV1uX/BV0F/yq/r9GBGY9RhurVwr/Cv/G/WtpaGlWa/+8AlwCrCgv/"
     "XQBdAf11RdVXKv8SgCJ/"},
    StoredTrees{3, 4, 1, 3,
     "2sWNrNCIJw/JYP8t32RVupwnC8KWf810alS/8NAkDQKPwWdZtm+ooSBVFqv4drW9YerKMwiRqPwP0qUD+sIABArMfw"
     "ACAbZ+UKgDAMCvwa3d99+/C0Lwpx/w9U3WV+cHBcLwvP8b9r1q8AcLwvBnP0"},
    StoredTrees{3, 4, 1, 4,
     "Wq2lGqMKHzPyJXCr7A1W9XNd+rcCcC8D8G7wapSS2m+qIpApVVaq7g2t1PFouqyDMxMqmV7w0D0A2rdAyAoAsxUqzg"
     "P9KpQD//CUCUCXyr/A/1G103+oCg3w/wHx7whVj1b1+vB8x8j8xT7Ab/Z3Wq+LCgHwKgb87wV091mp+VCqIjEiIs3A"
     "9rVq1POoiwvw/yVw7Q"},
    StoredTrees{3, 4, 2, 1,
     "1RX1PicrKxn9YVpY/yKgUGP8AGtjXvDwoPL8VvYW/MLJVWr81fX1PjwlKkb+Nq2N/hAQPDz829iW/QIrKxv9oUH1Dk"
     "BC8gD89RXVPgkJCrH+3TUlrrCM/Fb/"},
    StoredTrees{3, 4, 2, 2,
     "aVpWFfrBAEASKfwvWJfVDokyhKIRv0QVjfdXXyjIkxy/wr1oWNfrwRBErwPwFA9oVrqyIAoDwvwWnQdh/sQxDPMYfw"
     "9oWPaPAjCcKwWP4W/a1T/vMMwSxjP8Wr2hQ/+KogVVqv4YT9j2LpwmC8L8vw"},
    StoredTrees{3, 4, 2, 3,
     "93ZXZXfq8EgEsoRg/AVa9adf/vMLAjVVaq/ABp9xF1/XcqYA8i8x/AWtVPVq/AAwAwMjGC/gfdRR9VPqByKyKyWb/Q"
     "QAa1UVXl8qcF8q/K/A2X2r2A/zycycycys/g0HUU93fowKIAoC8A/ArdvZjZrqnAnIvIvB/w9dBp9TDqIhJBKKAE/g"},
    StoredTrees{3, 4, 3, 1,
     "AA/QBrKQhAPD8AAAD9Q1qI8A8Kj/AMABa1jUH8owjD8gAAX9SFDIAQBArBgAD3Qf1DLJcpyrMQEFr0AQPIHAcDwbAM"
     "/YBf1BIMwnCuVQIZ/2vY/NyHI8NmwIfX1v2AAqgMVVqgIqGkadtIkCSLIAgA"},
    StoredTrees{3, 4, 3, 2,
     "31P1A1C6pApQrwlZ/QAAWtWNV1/KXI/J/K/AWqUa/cj6iQiiVybx/Q2bETPWL7AiMjMzFb/wd9/aDaPwwMwMccan/g"
     "2tFpFh//MLADMHMp/AVr9j9br68EAEAohg/A1GNGrVU6UJUB/KWG/A/aAQPSD4AwCwCg/z/Qr1oF/VD6AKCQygz8/g"},
    StoredTrees{3, 4, 3, 3,
     "QA/ahVA/MPDPyz8k2KsAAAD9GDdiLawr0A9APwAAAABjV313JVypcA/BfyoAAAP2o9wDFgCoJwCsP/ACAAFp1Yd2Kr"
     "wCtKpSv8ABBoPQH2P/L4JzAVwKsYACGndG81o/IwcAHMDzBswD/dAEb92DKwnIK8CtBWwBr0aFmvZpKvwUMlDKoBEA"
     "dav0ANqQAPzAqwVcGqUC"},
    StoredTrees{3, 4, 4, 1,
     "f2QV/2A8gCwyUVaqPAqpP9qNv+AMAMAJAK/gAEVa1UX9/yhUj8/8fw/2FGFFN+fJfJ/KVW/AXW/0A0quKQvYr8a8vw"
     "AAWrWj/eDwBQRQ/wfA/9qp/1CuCnCrCrVZvQVa/UDVj+CoKwKoQbPAWDWB/a//lwVQ/yaw/A/2KkP1BOzyikyqil/g"},
    StoredTrees{3, 4, 4, 2,
     "X/f9pEb//wAsAjEJ2Cn8A9Fq1aN/9T8oHwRZP/x/Wof2r9hX+f8KvAlTWor8paYVGNdi+vwgMcD/AWU/f9v/YAWK+q"
     "CT8EpCJyC+Wl9puddv+v8wv8KvGVv9r9YDWPVhuoXKFyj8oVW9ZWv9A/awMMpyKsSnGqj+/2g1r/YBeg8IKQhUM/A+"
     "ADaQWv1pulQFXJ/yv8q8"},
    StoredTrees{3, 4, 4, 3,
     "nam9gaWZr+qgwqDyoPKRsf0ABRatVo1WdX/Kl8h/zL/Mrw/3d/1k3WS+r8IIRwjPBMrD8/1Uaahdo/+8MjBwHFQo/x"
     "P4f31BVf9qA8AKcAqwVXBqsXwX9r/3QBdK+n8KgTADFQUqL8v92hXf9ZxOrPLcpJiorBWX4Wqvdq/1Dr/L8F/yX/Kt"
     "8i/wVWr/aA9qluCVCFXM/8xpbD8oAGEHY1Zh+pcJFwE/yn/Crw"},
    StoredTrees{4, 0, 0, 3,
     "1tbW1ur/AwMXNevzVVVVa8D3vLy0dP/7KirAQNX/2z2Nicv72z1pfdv32z0JScvz2z0JScvz2z0JScvz"},
    StoredTrees{4, 0, 0, 4,
     "gSBL0v3r+sGg/GvWbv/cZ1K0DSvH9calKkDSv//calKkDSvHNcaNAUpSvquc2ra9q2rr+8PwqgQBDr+MFcVZVanA8s"
     "KoggDQ/VdM"},
    StoredTrees{4, 0, 1, 2,
     "gYlNxbrzZVdm2jD/irREfPb7irREfPb7irREfPb7yjQUHHb3PNzY1P/3CiEh0/n7w8Nvb/vzFja1tfr/"},
    StoredTrees{4, 0, 1, 3,
     "xfJ9Xml6vcypqGgWD8fsAAoSZW/6/sjzHAYGrw/sCoCEaRr5/MFo2nfZX7/8Z1aVR2s6Pcfxt20db6/sCxr1MUz3/c"
     "imwbB3G6v8"},
    StoredTrees{4, 0, 1, 4,
     "yqAiNBNB+D/wdD9T1Xl9uq7wyqAoAAj8ep4wg1b1T11VOq4wS/Yoaiaj9B+wVU1VlVmp8Dxwb8aoQMUE/P0wCooAUP"
     "Vq+HywCpIpIB1D+wywP8Ksmo1v+f1w"},
    StoredTrees{4, 0, 2, 1,
     "UvQ2Jm33ofEBAS7z8N3VtV73RUZXV//329fX1jz3qamtrY7/MihYWPz7bUlB9Z7zZUpA9B3zZUpA9F3z"},
    StoredTrees{4, 0, 2, 2,
     "PwrHfV///c8rwwSDZefcWX2ta9psPcDSBZlmX+vsl20Y1qWOvc8igaB8EuvMWNdlGdb+P8ZdKUB9Nd/MYpKEA9AdPM"
     "ZVKkA9BdfM"},
    StoredTrees{4, 1, 1, 2,
     "2tuYWP8l9wASmtTXXK8wBAaVtbnK9wY0hGdnr8/wdPa1dXr8/wY2tjYfr8+wNjUlV/rH8wkZHVlbqQ9wWtRV2jhy9w"
     "DS0FGfPM+w"},
    StoredTrees{4, 1, 1, 3,
     "bdpkGYb6y8+wD0rQ13X18r+wAAoS1BX6cq8w2NaFB1P6LC9wNp32fd/5so9wWvd9kWT/1V9wgGAbZlm6sD/wD0qbZm"
     "p88X9wo2EYZ2oy/z8woGJYl2oy/z8w"},
    StoredTrees{4, 1, 1, 4,
     "aq2rEQFQOTCl1wAWJWBV1XOkyr6wa2T2S3Sn//L88wZVSqSqSv8/Sl0wYPQMT2am+rUH7wj9hdldWp8DBWxw9r9o9p"
     "tpuqsi7waDacYfY3+vSr6wAAKhL1D1dVyq0wWtWvWN1F+vVV5w"},
    StoredTrees{4, 1, 2, 1,
     "PSn1Vv/L9wDQ0hra7w+w9tdU1D589wASkpEX7w8w2tSZ1b4w+woalhZV7y/w9fam9gwl9wV3dNRf6S/wYENpUX3y/w"
     "ACpjW37y+w"},
    StoredTrees{4, 1, 2, 2,
     "V9303Tb+xM/wAWhfVlX+jL9w2ddlHVf+sj+wAAql9UX9cK+wr3aZhVH+ow/wBpEGYZpcPK9w9X2mYVj/0V9wDUrStG"
     "l+fK8wDQpiG9WuvK+wZBIUN90MSK/w"},
    StoredTrees{4, 1, 2, 3,
     "Wq1DXQWY/qkc9wVfffRfRf/vHM/w1q9olRtRrqVE9wDUK1k1V1/Vwq/wGdFqFIFq/A8x9wPaKaKabWbm8o8wgFo19l"
     "9VDqIg9wA0AGanUXfq8q+watWrWBVD/zyr+wDRKRIZ9XXm8o+w"},
    StoredTrees{4, 2, 1, 2,
     "BiYmBvsIzPMDU9dffUJyvcACEFdXnKwPsb2pDY/8HK/M1VpYWPoIlPc29jV2jic/PctbW1lbpy8v8bX1tWfEiV/sf3"
     "1N2bGilfMbX1N2bGiV/M"},
    StoredTrees{4, 2, 1, 3,
     "0NQFvWv4wiEL3hWNZ1tW6sJgL3AEoQ12cyIkyn7PUvXdW3/0szzzd1X1VWr4xzPH32ja9QWD1wqxT3NoGSZBl6Uqwv"
     "zappmGYb6iSKH7apb113d9MFSr3aZ1XV1f73K8j/"},
    StoredTrees{4, 2, 1, 4,
     "EUaWYXYW+rIrKy6wNpJ1BV1VOpSqyr6wn1n9n9Wp+DcC8zxwYAQDT3T39Hyliq0wR9d1V11n+olAaF5w0D2qNqRv+V"
     "yqwA1wN2L2J2B2//D8z88wWq2vVE1Euq8iVR5wj9hp99tpeqxWCq7w2rWoWR2T8TwUio1w"},
    StoredTrees{4, 2, 2, 1,
     "BA0pWX3y8PM21haVv8CI/sPSkpPa5y8PMd9cU1L7IlPcPSkhdlzz8fs9vb2lf6cfPcYENrY27zAvsoa1hdW7z8/skf"
     "WNhT7ByvcV3RF9Q4nKf8"},
    StoredTrees{4, 2, 2, 2,
     "2X2vQ9oMCcKX39rVJVt2upwfD3V9303Tb+wAIz3DQrStW19cK8zzXd1k21f+gnyv/2qaFhVF+vCgz7oWtWFZVevMsj"
     "7dr2oY9j/8KVL3AEAWlUV9fK8D/AEoSNNn9WJ8r7"},
    StoredTrees{4, 2, 2, 3,
     "QDQBdp9pDCJwKw9w2nGkkF1FPqHKvC8wDaTbYaWafh8q8L+woBoRaVYVXq8lAq/warfaTZTf/rCMLM9wD0K1I1N1/l"
     "Qq8o+wPQK9K9pprqsA8y8w19VlVVdV/rMDHC9wYNZPWvVq/0AVCq+w9p1q1QdQ/fwqRV9w"},
    StoredTrees{4, 3, 1, 2,
     "ZVtfVvlC8IT3BiYmR/kKwMLzPQENGXLFisf7ASFFWfILQ8P/tbW1tbrCcvL/QE9dXfkBAQr3T2lhYfUKByr721pYXP"
     "8kKBz3adfU2jicfGn3WlRVWvgwkPz3"},
    StoredTrees{4, 3, 1, 3,
     "lW1aVnW6nI8Dwv8AEgQV2l1cqwHCvsH1q0pWrwxwPAPPsNUvS1DX5wHCfK/Mb9rVNY364gBJIvs1faNhWP6iQKCVPc"
     "2vb1EUT/wsBwrPcDQBmWdb6gFCrEP89r23bVn6QCcjwPcVV9V12s4LQnB8fc"},
    StoredTrees{4, 3, 1, 4,
     "b/arYMUs+vQ888885wa/Updp1lepyqlcak6wdr9qRvdq+XyoD8D82wgBgBqdad8fCcAcio2wf9a1WV2nMonwvwbxxw"
     "2rWoUC0Cuq8qcq8C5wD2K1D1f3//CVyqyr+wFd2vUoWo+DJEKEFc5w0XEW1WlV+qCqJTKq7wD0L9L1D19nCnS1yq4w"},
    StoredTrees{4, 3, 2, 1,
     "ETVNTX7Awcr/9vb2lf4cPCf33VlZ9g4kKFHzWthZVnzFysr7ACprY13ycvDz3RoUWP6wgYL7Q0Fldf8BIfL7ASkhNa"
     "5C8fL7QGthWX7wkLz7ra2V9T4LJyr/"},
    StoredTrees{4, 3, 2, 2,
     "lX3Y1hX+oEijM/c2oaRBWP+RxPEovsV931nVb+gjAcK/8aVrWNVl+vA0C8Ps9r2PZ9oMCcKxVfcA0GiQZj/8IwjzPc"
     "o2hVVXV+vBAoBfcHT9gm9UejBBIoPsDUrSNNmunC8HyvsAAoWtY19fKcDwvM"},
    StoredTrees{4, 3, 2, 3,
     "odpp9h9RHqMBBKKC9w1q9qdw9oDCJyKyVV9w/VPVhVpV/qnAvA/x/wYAY3aVYVfV8qAAAK/wA1K1a1W1fq8IcE8r8w"
     "9aDWYWXWfq8DEBvK+wZNdPTfRf/vCcCsIM9wA9DZIZNZrqY38r8V+wAAKBU193HkIqIg8K+w2r2oWFVF/3wkwUyr+w"},
    StoredTrees{4, 4, 1, 3,
     "PQtr1rX6wQxCMsS8ANr1lWZb6gJAkKsL+AD0GSZhn5UqSzLMV/AA0hQ13d1knQfBsp+AFC0aV2X6QqIMkyi+g1daFV"
     "2swIgnD8FU9wWra9gXD/ychxfG89AD3dTVNV6cqQzDMV9AnW9Y1nW6sRhGKcq/AUFfXdWn0xzfL8vz/Qb9r2PU/73K"
     "cLybC9w"},
    StoredTrees{4, 4, 1, 4,
     "b2anYHY9+rCwPwPwjw4QoViV9VtVuqyiHyPyDy5wP9KpJVRX/UAXCXCXyr0Al1b1RFWq+IDwHwL0is6wWq0RERkRel"
     "yqMAVEao5w9NRPd/2r8EgMoMiESM5wt9v9l92p+jQ8cp8q8AzAP1KVBV1d+rAxzxyqwA6A9r9qFqFq+HMoC8FoL8zg"
     "1XGolR2j+IEgvwvwVw5gad2rWA2M//JUJUj8wV9AAAQBb133NXCnA3D1Cq1A"},
    StoredTrees{4, 4, 2, 1,
     "WlpW9izCsFVq9AQ2hjZ17wgKD8+A09jZmf4JCQoj+gQ0Fl1X3xUfLy9AYGtpUX7wYPCA8A2tcUFP/CwkXK9AEDaNTX"
     "5yUPDw/Ara119T4HKykC9QlvYEJK6cXHz89w9aVV9g0iJysV9g"},
    StoredTrees{4, 4, 2, 2,
     "bRpmlY19fKgCEYy8AdpmnY9j/8oiBUGs9ArVrWNZlevAginL8+AAEAWdbV+fKEDQ/C9AvWtdV9U+iSKIojw9QQd1k2"
     "Rf+oJMFgfK/A1r1AUBaunJUHylF9A93X9XlX+hzHM8yS9wmmaZh2H+oUxTJMr+g1o24R9oMCsJwrCc9g"},
    StoredTrees{4, 4, 2, 3,
     "GqFK1flV/qQ3Qn8X8r9Aa9WvWJWP/vHJHJPKLD+wUadaTbTXXm8L8D1F/K/AfX3WlV9VDqJAKAKELJ9QbUa1a1Y1fV"
     "8qUE8NAq8A9rpVVV9VPqCBJBKSFw9gQPQPVq9qPAAyIycych9AoBaRYdVZfq8EkEsovI+AVq9oNRNRrqsIgCRKaU9A"
     "R/2rVw1g/zwcycycys9g"},
};
// clang-format on

}  // namespace

std::span<const StoredTrees> spftr_trees() { return kSpftr; }
std::span<const StoredTrees> aspftr_trees() { return kAspftr; }

}  // namespace selvedge::spftr
